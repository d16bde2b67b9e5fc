/** Files of links in a real browser: imports, changes, their undo, and the export. */
import t from 'tap';
import { downloaded, go, inspect, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const host = new URL(dashboard.url).host;

t.test('links are checked, imported, changed and changed back, and exported', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'links');
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByText('No files were sent yet.').waitFor();
  await inspect(t, page, 'link-jobs-none');
  await page.getByRole('link', { name: 'Send a file' }).click();
  await page.getByRole('heading', { name: 'Send a file of links', level: 1 }).waitFor();
  const choose = (name: string, lines: readonly string[]) =>
    page
      .getByLabel('Choose a file')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await choose('links.xlsx', ['x']);
  await page.getByText('is not CSV or NDJSON').waitFor();
  await choose('links.csv', [
    'Long link,Back half',
    'https://example.com/a,spring-menu',
    'nowhere,autumn-menu',
  ]);
  await page.getByLabel('Columns by other names').fill('destination = Long link\nslugs = Back half');
  await page.getByRole('button', { name: 'Check the file' }).click();
  const columns = page.getByLabel('Columns by other names');
  await page.locator('.field', { has: columns }).getByRole('alert').waitFor();
  await inspect(t, page, 'link-job-columns');
  await columns.fill('destination = Long link');
  await page.getByLabel('Domain').fill(host);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('1 link would be made.').waitFor();
  await page.getByRole('cell', { name: 'autumn-menu' }).waitFor();
  await inspect(t, page, 'link-job-check');
  t.equal((await dashboard.api(key, 'GET', '/api/v1/links')).data.length, 0, 'nothing is made yet');
  await page.getByRole('button', { name: 'Import the links' }).click();
  await page.getByRole('heading', { name: 'Import of links', level: 1 }).waitFor();
  await page.getByText('1 link was made.').waitFor();
  await inspect(t, page, 'link-job');

  await go(page, 'links/jobs/new');
  await page.getByText('Change links', { exact: true }).click();
  await choose('changes.csv', ['slug,destination,tags', 'spring-menu,https://example.com/b,spring']);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('1 link would be changed.').waitFor();
  await page.getByRole('button', { name: 'Change the links' }).click();
  await page.getByText('1 link was changed.').waitFor();
  const leads = async () => (await dashboard.api(key, 'GET', '/api/v1/links/spring-menu')).destination;
  t.equal(await leads(), 'https://example.com/b');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Undo of a change', level: 1 }).waitFor();
  await page.getByText('1 link was changed.').waitFor();
  t.equal(await leads(), 'https://example.com/a');

  await page.setViewportSize({ width: 390, height: 844 });
  await go(page, 'links/jobs');
  await page.getByRole('link', { name: 'Undo of a change' }).waitFor();
  await inspect(t, page, 'link-jobs');
  const { name, bytes } = await downloaded(page, () =>
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  );
  t.match(name, /\.csv$/);
  t.match(bytes.toString(), 'https://example.com/a');
  await page.getByRole('link', { name: 'Check of an import' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the job' }).click();
  await page.getByRole('heading', { name: 'Files of links', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Check of an import' }).waitFor({ state: 'detached' });
});

t.test('where the encoding of a file is not clear, a person chooses it', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'links/jobs/new');
  await page.getByLabel('Choose a file').setInputFiles({
    ...{ name: 'old.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(`slug,destination,name\nold-menu,https://example.com/c,Caf\xe9\n`, 'latin1'),
  });
  await page.getByLabel('Domain').fill(host);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Which text is right?').waitFor();
  await page.getByLabel('Encoding').selectOption('windows-1252');
  await page.getByRole('button', { name: 'Read the file as windows-1252' }).click();
  await page.getByText('1 link would be made.').waitFor();
});
