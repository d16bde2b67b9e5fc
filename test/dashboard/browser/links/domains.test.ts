/** Own domains in a real browser: proved, used for new links, set to answer, and deleted. */
import { get } from 'node:http';
import t from 'tap';
import { startNameServer } from '../../../domains/name-server.ts';
import { until } from '../../../servers/until.ts';
import { go, inspect, startDashboard, tabTo } from '../support.ts';

const names = await startNameServer(t);
const dashboard = await startDashboard(t, { DOMAIN_NAME_SERVERS: names.address });
const key = await dashboard.account();

const HOST = 'qr.brand.example';

/** Visits an address of the domain. */
const visit = (path: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    get(`${dashboard.url}${path}`, { headers: { host: HOST } }, (answer) =>
      answer.resume().on('end', resolve),
    ).on('error', reject);
  });

t.test('a domain is added by keyboard, proved, made the default, set to answer, and deleted', async (t) => {
  const page = await dashboard.open(t, key);
  const dialog = page.getByRole('dialog');
  await go(page, 'links');
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByText('No domains yet.').waitFor();
  await inspect(t, page, 'domains-none');
  await tabTo(page, page.getByRole('button', { name: 'Add a domain' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByLabel('Host'));
  await page.keyboard.type('localhost');
  await page.keyboard.press('Enter');
  await dialog
    .locator('.field', { has: page.getByLabel('Host') })
    .getByRole('alert')
    .waitFor();
  t.equal(await dialog.getByLabel('Host').getAttribute('aria-invalid'), 'true');
  await dialog.getByLabel('Host').fill(HOST);
  await dialog.getByText(`${HOST}/4fGk2LmQ`).waitFor();
  await inspect(t, page, 'domain-new');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: HOST, level: 1 }).waitFor();

  const { proof } = (await dashboard.api(key, 'GET', `/api/v1/domains/${HOST}`)) as never as {
    readonly proof: Readonly<Record<'record_name' | 'file_url' | 'text', string>>;
  };
  await page.getByText(proof.record_name, { exact: true }).waitFor();
  await page.getByText(proof.file_url, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy the text' }).click();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), proof.text);
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('The proof was not found.').waitFor();
  await page.getByRole('alert').filter({ hasText: 'TXT record' }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Use for new links' }).count(), 0, 'it is not proved');
  await inspect(t, page, 'domain-unproved');
  names.records.set(proof.record_name, proof.text);
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('Proved', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Use for new links' }).click();
  await page.getByText('Default', { exact: true }).waitFor();
  const body = { data: 'https://example.com/menu', dynamic: true };
  const { id } = await dashboard.api(key, 'POST', '/api/v1/codes', body);

  await page.getByRole('button', { name: 'Change what it answers' }).click();
  await dialog.getByLabel('Address for the host alone').fill('nowhere');
  await dialog.getByLabel('robots.txt').fill('User-agent: *\nDisallow: /');
  await dialog.getByLabel('Answer to unknown short links').selectOption('JSON');
  await dialog.getByLabel('Its text').fill('{}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const root = page.getByLabel('Address for the host alone');
  await dialog.locator('.field', { has: root }).getByRole('alert').waitFor();
  await inspect(t, page, 'domain-answers');
  await root.fill('https://brand.example/');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('https://brand.example/', { exact: true }).waitFor();
  t.match(await dashboard.api(key, 'GET', `/api/v1/domains/${HOST}`), {
    root_url: 'https://brand.example/',
    robots_txt: 'User-agent: *\nDisallow: /',
    unknown_text: { type: 'application/json', text: '{}' },
    unknown_url: null,
  });

  await go(page, `codes/${id}`);
  await page
    .getByText(new RegExp(`^https://${HOST}/`))
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Change the short address' }).click();
  await dialog.getByLabel('Last part of the address').fill('menu');
  await dialog.getByText(`${HOST}/menu`).waitFor();
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText(`https://${HOST}/menu`, { exact: true }).first().waitFor();
  await page.getByLabel('Destination').fill('https://example.com/autumn');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await until(async () => {
    const { destination } = await dashboard.api(key, 'GET', `/api/v1/links/menu?domain=${HOST}`);
    return destination === 'https://example.com/autumn';
  });
  await page.getByRole('button', { name: 'Explain a visit' }).click();
  await dialog.getByRole('button', { name: 'Explain' }).click();
  await dialog.getByText('No rule holds, so the link leads to https://example.com/autumn.').waitFor();

  await go(page, 'codes');
  await page.getByLabel(/^Select all/).check();
  await page.getByRole('button', { name: 'Edit links' }).click();
  await dialog.getByLabel('New destination').fill('https://example.com/winter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. 1 link changed.').waitFor();
  t.match(await dashboard.api(key, 'GET', `/api/v1/links/menu?domain=${HOST}`), {
    destination: 'https://example.com/winter',
  });
  await visit('/old-menu');
  const asked = () => dashboard.api(key, 'GET', `/api/v1/domains/${HOST}/unknown-slugs`);
  await until(async () => (await asked()).data.length === 1);
  const folder = await dashboard.api(key, 'POST', '/api/v1/folders', { name: 'At the shop' });
  await go(page, `folders/${folder.id}`);
  await page.getByRole('button', { name: 'Domain of this folder' }).click();
  await dialog.getByLabel('New short links are at').selectOption(HOST);
  await inspect(t, page, 'folder-domain');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  t.match(await dashboard.api(key, 'GET', `/api/v1/folders/${folder.id}`), { domain: HOST });

  await page.setViewportSize({ width: 360, height: 740 });
  await go(page, 'links/domains');
  await inspect(t, page, 'domains');
  await page.getByRole('link', { name: HOST }).click();
  await page.getByRole('cell', { name: 'old-menu' }).waitFor();
  await inspect(t, page, 'domain');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the domain' }).click();
  await dialog.getByText('set is_default to false first').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Not for new links' }).click();
  await page.getByText('Default', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the domain' }).click();
  await page.getByText('No domains yet.').waitFor();
});
