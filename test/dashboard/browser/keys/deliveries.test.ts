/** What was sent to a webhook, and what came back, in a real browser. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { startReceiver } from '../../../webhooks/receiver.ts';
import { go, inspect, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t, { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });

t.test('payload and answer of a delivery are shown as text, and it is sent again', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const hostile = '<img src=x onerror=alert(1)> <script>alert(2)</script>';
  receiver.answer = (response) =>
    void response.writeHead(500, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(hostile);
  const key = await dashboard.account();
  const wanted = { url: receiver.url, events: ['key.created'] };
  const { id } = await dashboard.api(key, 'POST', '/api/v1/webhooks', wanted);
  await dashboard.api(key, 'POST', '/api/v1/keys', { name: 'Told', scopes: ['render'] });
  const page = await dashboard.open(t, key);
  await go(page, `keys/webhooks/${id}`);
  await page.getByRole('cell', { name: /^HTTP 500/ }).waitFor();
  await page.getByRole('button', { name: /^Details of key.created/ }).click();
  const dialog = page.getByRole('dialog', { name: 'A key was made' });
  const sent = dialog.getByRole('region', { name: 'What was sent' });
  t.match(JSON.parse((await sent.locator('pre').textContent()) ?? ''), {
    type: 'key.created',
    data: { name: 'Told' },
  });
  const answer = dialog.getByRole('region', { name: 'What your program answered' });
  t.equal(await answer.locator('pre').textContent(), `HTTP 500\ncontent-type: text/html\n\n${hostile}`);
  t.equal(await page.locator('img[src="x"]').count(), 0);
  await inspect(t, page, 'webhook-delivery');

  const before = receiver.received.length;
  receiver.answer = (response) => void response.writeHead(204).end();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('(an empty body)').waitFor();
  t.equal(receiver.received.length, before + 1);
  t.equal(receiver.received.at(-1)!.id, receiver.received[0]!.id);
  await until(async () => {
    const { data } = await dashboard.api(key, 'GET', `/api/v1/webhooks/${id}/deliveries`);
    return data[0]!.state === 'delivered' && data[0]!.status === 204;
  });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize({ width: 375, height: 812 });
  await inspect(t, page, 'webhook-delivered');
});
