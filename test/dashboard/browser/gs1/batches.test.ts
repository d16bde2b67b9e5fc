/** Counters, batches of GS1 numbers and of templates, and prints for point of sale, in a real browser. */
import t from 'tap';
import { textOf } from '../../../support/pictures/print.ts';
import { downloadedFile, go, inspect, startDashboard, tabTo } from '../support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const contentsOf = async (folder: string): Promise<readonly string[]> => {
  const { data } = await dashboard.api(key, 'GET', '/api/v1/folders');
  const { id } = data.find(({ name }: { name: string }) => name.startsWith(folder))!;
  const codes = await dashboard.api(key, 'GET', `/api/v1/folders/${id}/codes`);
  return codes.data.map(({ content }: { content: string }) => content);
};

t.test('a counter is created and raised by keyboard, and never lowered', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'batches');
  await page.getByRole('link', { name: 'Counters' }).click();
  await page.getByText('No counters yet.').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'New counter' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Name'));
  await page.keyboard.type('bottles');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Raise bottles' }).click();
  await dialog.getByLabel('Next number').fill('700');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '700' }).waitFor();
  await page.getByRole('button', { name: 'Raise bottles' }).click();
  await dialog.getByLabel('Next number').fill('1');
  await page.keyboard.press('Enter');
  await dialog.getByText('must be at least 700').waitFor();
  await inspect(t, page, 'counter-lowered');
});

t.test('a file of GTINs becomes Digital Links with counted serials, printed for point of sale', async (t) => {
  const page = await dashboard.open(t, key, { width: 'phone', colorScheme: 'dark' });
  await go(page, 'table');
  const file = page.locator('#table-file');
  await file.setInputFiles(csv('wrong.csv', 'EAN\n36000291452\n'));
  await page.getByText('removed leading zeros; write 036000291452').first().waitFor();
  await inspect(t, page, 'batch-gs1-eaten');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await file.setInputFiles(
    csv('juice.csv', 'EAN,(3103),colour\n9521321000018,001250,red\n036000291452,000100,\n'),
  );
  await page.getByText(`${dashboard.url}/01/09521321000018?3103=001250`, { exact: true }).waitFor();
  await page.getByText('1 column left out: “colour”.').waitFor();
  await page.getByLabel('Serial numbers').selectOption('bottles');
  await page.getByLabel('Your domain').fill('https://brand.example');
  await page
    .getByText('https://brand.example/01/09521321000018/21/700?3103=001250', { exact: true })
    .waitFor();
  await page.getByText('Module', { exact: true }).click();
  await page.getByText('More for print').click();
  await page.getByLabel('For tills').check();
  await page.getByLabel('Numbers below the code').check();
  await inspect(t, page, 'batch-gs1');
  await page.getByRole('button', { name: /^Make / }).click();
  await page.getByText('All 2 codes were made').waitFor({ timeout: 60_000 });
  t.strictSame([...(await contentsOf('juice'))].sort(), [
    'https://brand.example/01/00036000291452/21/701?3103=000100',
    'https://brand.example/01/09521321000018/21/700?3103=001250',
  ]);
  await go(page, 'batches/counters');
  await page.getByRole('button', { name: 'Numbers of bottles' }).click();
  await page.getByText('700 to 701').waitFor();
  await inspect(t, page, 'counters');
});

t.test('a template of columns and counters shows the contents of the first codes', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  await page.locator('#table-file').setInputFiles(csv('shelf.csv', 'sku,colour\nA 1,red\nB/2,\n'));
  await page.getByText('Choose the column with the content.').first().waitFor();
  await page.getByText('A template', { exact: true }).click();
  const template = page.getByRole('textbox', { name: 'Template' });
  await template.fill('https://example.com/{skuu}');
  await page.getByText('skuu').nth(1).waitFor();
  t.ok(await page.getByRole('button', { name: /^Make / }).isDisabled());
  await template.fill('https://example.com/');
  await page.getByRole('button', { name: 'sku', exact: true }).click();
  t.equal(await template.inputValue(), 'https://example.com/{sku}');
  await template.fill('https://example.com/{sku}/{bottles:06}');
  await page.getByText('https://example.com/B%2F2/000703', { exact: true }).waitFor();
  await inspect(t, page, 'batch-template');
  await page.getByRole('button', { name: /^Make / }).click();
  await page.getByText('All 2 codes were made').waitFor({ timeout: 60_000 });
  t.strictSame([...(await contentsOf('shelf'))].sort(), [
    'https://example.com/A%201/000702',
    'https://example.com/B%2F2/000703',
  ]);
});

t.test('a designed code is printed for point of sale, with numbers, at sizes for tills', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'design');
  await page.getByText('GS1', { exact: true }).click();
  await page.getByLabel('GTIN').fill('9521321000018');
  await page.getByRole('button', { name: 'Download …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await dialog.getByText('PDF', { exact: true }).click();
  await dialog.getByText('Millimetres').click();
  await dialog.getByLabel('Width mm').fill('80');
  await dialog.getByText('More for print').click();
  await dialog.getByLabel('For tills').check();
  await dialog.getByLabel('Numbers below the code').check();
  await dialog.getByText('tills need 0.396 to 0.99 mm').waitFor();
  t.ok(await dialog.getByRole('button', { name: 'Download' }).isDisabled());
  await dialog.getByLabel('Width mm').fill('20');
  await dialog.getByText('20 × ').waitFor();
  await inspect(t, page, 'designer-till');
  const { bytes } = await downloadedFile(page);
  t.match(await textOf(bytes), '(01)09521321000018');
});
