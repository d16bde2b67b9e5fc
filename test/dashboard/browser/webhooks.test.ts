/** Webhooks and single scans in a real browser. */
import t from 'tap';
import { insertScans } from '../../../src/db/tables/scans/scans.ts';
import { openFor } from '../../support/database/database.ts';
import { scanRow } from '../../support/scan.ts';
import { downloaded, go, inspect, startDashboard } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

t.test('a webhook is created, edited, paused, tested, rotated and deleted', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'keys');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await inspect(t, page, 'webhooks-none');
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  const copySecret = async (): Promise<string> => {
    const secret = (await dialog.locator('.secret code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    return secret;
  };
  await dialog.getByLabel('Address').fill('https://hooks.example.com/a');
  await dialog.getByLabel('Codes were saved').check();
  await inspect(t, page, 'webhooks-new');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.locator('.secret code').waitFor();
  t.match(await copySecret(), /^whsec_/);

  await page.getByRole('link', { name: 'https://hooks.example.com/a' }).click();
  await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor();
  await page.getByText('Nothing has been sent yet.').waitFor();
  t.strictSame(await page.locator('main button.primary').allTextContents(), ['Send a test']);
  t.equal(await page.getByRole('button', { name: 'Send what it missed' }).count(), 0, 'it missed nothing');
  await page.getByRole('button', { name: 'Edit' }).click();
  t.ok(await dialog.getByLabel('Codes were saved').isChecked());
  await dialog.getByLabel('Short links were changed').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('link.changed', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused').waitFor();
  await page.locator('button:disabled', { hasText: 'Send a test' }).waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send what it missed' }).click();
  await page.getByText('1 delivery will be sent.').waitFor();

  const secrets = page.locator('.card', { has: page.getByRole('heading', { name: 'Secrets' }) });
  const make = secrets.getByRole('button', { name: 'Create another secret' });
  t.equal(await secrets.getByRole('button', { name: /^Delete/ }).count(), 0, 'the only secret is kept');
  await make.click();
  await dialog.locator('.secret code').waitFor();
  t.match(await copySecret(), /^whsec_/);
  await secrets.getByRole('listitem').nth(1).waitFor();
  t.ok(await make.isDisabled(), 'at most two at a time');
  await inspect(t, page, 'webhook');
  await secrets
    .getByRole('button', { name: /^Delete/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Delete the secret', exact: true }).click();
  await secrets.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
  const { data } = await dashboard.api(key, 'GET', '/api/v1/webhooks');
  t.match(data, [{ events: ['code.created', 'link.changed'], state: 'on' }]);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the webhook' }).click();
  await page.getByText('No webhooks yet.').waitFor();
});

t.test('single scans of a code, and of all codes, are downloaded as CSV', async (t) => {
  const items = [{ data: 'https://example.com/menu', dynamic: true }];
  const made = await dashboard.api(key, 'POST', '/api/v1/qr/bulk', { items });
  const { slug } = made.results[0]!;
  const codes = await dashboard.api(key, 'GET', `/api/v1/folders/${made.meta.folder_id}/codes`);
  const { sql } = await openFor(t, { url: dashboard.databaseUrl, dataDir: '' });
  await insertScans(sql, [scanRow({ slug, at: new Date(Date.now() - 60_000) })]);
  const page = await dashboard.open(t, key);
  for (const screen of [`codes/${codes.data[0]!.id}`, 'scans']) {
    await go(page, screen);
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const file = await downloaded(page, () => page.getByRole('menuitem', { name: 'Single scans' }).click());
    t.equal(file.name, 'single-scans.csv');
    const lines = file.bytes.toString().trimEnd().split('\r\n');
    t.equal(lines.length, 2);
    t.match(lines[1], `,${slug},`);
  }
});
