/** Sending a table, in a real browser against the built gateway: from a file to codes, and again after a refusal. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { xlsxOf } from '../../../support/files/xlsx.ts';
import { readZip } from '../../../support/files/zip.ts';
import { downloaded, go, inspect, shoot, startDashboard, tabTo } from '../support.ts';

const dashboard = await startDashboard(t);

const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

/** Chooses a file on the screen. */
const choose = (page: Page, chosen: ReturnType<typeof file>) =>
  page.locator('#table-file').setInputFiles(chosen);

const isDone = (page: Page) =>
  page.locator('.page-title .chip', { hasText: 'Done' }).waitFor({ timeout: 120_000 });

/** Returns the codes of the newest batch, in the order of its rows. */
const codesOf = async (key: string, fields: readonly string[]): Promise<unknown[]> => {
  const [batch] = (await dashboard.api(key, 'GET', '/api/v1/batches')).data;
  const { data } = await dashboard.api(key, 'GET', `/api/v1/folders/${batch!.folder_id}/codes?limit=100`);
  return data.map((code) => fields.map((field) => Object(code)[field]));
};

/** Counts how often a person presses a button of the mouse, until the page is loaded anew. */
const countClicks = async (page: Page) => {
  await page.evaluate(
    'globalThis.presses = 0; addEventListener("pointerdown", () => { presses += 1; }, { capture: true })',
  );
  return () => page.evaluate<number>('globalThis.presses');
};

const GERMAN = [
  'Webadresse;Bezeichnung;Artikelnummer;Schlagwörter;Änderbar;Regal',
  'https://example.com/müsli;Müsli;A-1;Frühstück;ja;oben',
  '',
  'htps:/example.com/tee;Tee;A-2;Getränk;vielleicht;unten',
  'https://example.com/brot;Brot;A-3;;nein;unten',
  '',
].join('\r\n');

t.test('a German file of semicolons in Windows-1252 with a wrong row is corrected and made', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  const clicks = await countClicks(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByText('Choose a file').click();
  await (await chooser).setFiles(file('Frühling.csv', Buffer.from(GERMAN, 'latin1')));
  await page.getByText('It was read as windows-1252.').waitFor();
  t.equal(await page.getByLabel('Cells are separated by').inputValue(), ';');
  const column = (name: string) => page.locator('.column-list').getByLabel(name, { exact: true });
  for (const [name, field] of [
    ['Webadresse', 'data'],
    ['Bezeichnung', 'name'],
    ['Artikelnummer', 'external_id'],
    ['Schlagwörter', 'tags'],
    ['Änderbar', 'dynamic'],
    ['Regal', ''],
  ] as const)
    t.equal(await column(name).inputValue(), field, name);
  await page.getByText('1 column left out: “Regal”. 1 empty row left out, the first is row 3.').waitFor();

  const row = page.getByRole('group', { name: 'Row 4' });
  await row.getByText('Änderbar: must be true or false').waitFor();
  const send = page.getByRole('button', { name: 'Make 3 codes' });
  t.ok(await send.isDisabled());
  await page.getByText('1 row has faults. Correct it or leave it out.').waitFor();
  await inspect(t, page, 'table-german');
  await row.getByLabel('Änderbar').fill('ja');
  await row.getByLabel('Webadresse').focus();
  await row.locator('.fault', { hasText: /^Webadresse: .*http/ }).waitFor();
  await row.getByText('Was https://example.com/tee meant?').waitFor();
  await row.getByLabel('Webadresse').fill('https://example.com/tee');
  await page.keyboard.press('Tab');
  await row.getByText('Corrected').waitFor();
  await page.getByText('Costs 3 units of the').waitFor();
  await inspect(t, page, 'table-german-corrected');
  await send.click();
  await isDone(page);
  t.equal(await clicks(), 2, 'one to choose the file, one to make the codes');

  t.strictSame(await codesOf(key, ['content', 'name', 'external_id', 'dynamic']), [
    ['https://example.com/müsli', 'Müsli', 'A-1', true],
    ['https://example.com/tee', 'Tee', 'A-2', true],
    ['https://example.com/brot', 'Brot', 'A-3', false],
  ]);
  t.match(await codesOf(key, ['tags']), [[['Frühstück']], [['Getränk']], [[]]]);
  const zip = await downloaded(page, () => page.getByRole('link', { name: 'Download part 1' }).click());
  t.match(zip.name, /^Frühling \d{4}-\d\d-\d\d\.zip$/);
  const manifest = (await readZip(zip.bytes)).find(({ name }) => name === 'manifest.csv');
  t.match(String(manifest?.bytes), /\n2,4,A-2,Tee,/, 'with the row of the file');
});

t.test('a batch of 2,000 with a template and a counter is left, found again, and made', async (t) => {
  const key = await dashboard.account(undefined, 'pro', { monthly_quota: 5000 });
  await dashboard.api(key, 'PUT', '/api/v1/counters/bottle', { next: 70 });
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  const clicks = await countClicks(page);
  const rows = Array.from({ length: 2000 }, (_, i) => `SKU ${i % 7},red\n`).join('');
  await choose(page, file('bottles.csv', `sku,colour\n${rows}`));
  await page.getByText('A template', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Template' }).fill('https://example.com/{sku}/{bottle:05}');
  await page.getByText('https://example.com/SKU%204/00074', { exact: true }).waitFor();
  await page.getByLabel(/^Folder/).fill('Bottles of spring');
  await page.waitForTimeout(600);

  await page.getByRole('link', { name: 'Batches', exact: true }).first().click();
  await page.getByText('Make thousands of codes from one file').waitFor();
  await page.goBack();
  await page.getByText('https://example.com/SKU%204/00074', { exact: true }).waitFor();
  t.equal(await clicks(), 2);
  await page.reload();
  await page.getByText('https://example.com/SKU%204/00074', { exact: true }).waitFor();
  t.equal(await page.getByLabel(/^Folder/).inputValue(), 'Bottles of spring');
  await page.getByText('All 2,000 rows are right.').waitFor();
  await inspect(t, page, 'table-found-again');
  await page.getByRole('button', { name: 'Make 2,000 codes' }).click();
  await isDone(page);
  const [batch] = (await dashboard.api(key, 'GET', '/api/v1/batches')).data;
  t.match(batch, { rows: 2000, made: 2000, folder_name: 'Bottles of spring' });
  const last = await dashboard.api(key, 'GET', `/api/v1/codes?search=02069`);
  t.match(last.data, [{ content: 'https://example.com/SKU%204/02069' }]);

  await go(page, 'table');
  await page.getByText('Drop a spreadsheet or CSV file here').waitFor();
  await choose(page, file('more.csv', 'sku,colour\nA,red\n'));
  await page.getByText('They are as you chose them for the last file with these columns.').waitFor();
  await page.getByText('https://example.com/A/02070', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByText('Drop a spreadsheet or CSV file here').waitFor();
});

t.test('a batch that was refused opens with its rows, which are corrected and sent again', async (t) => {
  const key = await dashboard.account();
  await dashboard.api(key, 'PUT', '/api/v1/codes/by-external-id/taken', { data: 'x' });
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  await choose(page, file('Menu.csv', 'url,id\nhttps://a.example,one\nhttps://b.example,taken\n'));
  await page.getByLabel('Every row needs a value of its own in').selectOption('external_id');
  await page.getByRole('button', { name: 'Make 2 codes' }).click();
  await page.locator('.page-title .chip', { hasText: 'Failed' }).waitFor({ timeout: 60_000 });
  const refused = page.url();
  await page.getByRole('link', { name: 'Correct and send again' }).click();
  const row = page.getByRole('group', { name: 'Row 3' });
  await row.getByText(/^id: /).waitFor();
  await inspect(t, page, 'table-again');
  await row.getByLabel('id').fill('two');
  await row.getByLabel('url').focus();
  await row.getByText('Corrected').waitFor();
  await page.getByRole('button', { name: 'Make 2 codes' }).click();
  await page.waitForURL((url) => /batches\/[\w-]{36}$/.test(url.href) && url.href !== refused);
  await isDone(page);
  t.strictSame(await codesOf(key, ['content', 'external_id']), [
    ['https://a.example', 'one'],
    ['https://b.example', 'two'],
  ]);
});

t.test('rows that fail while codes are made are corrected alone', async (t) => {
  const key = await dashboard.account();
  await dashboard.api(key, 'POST', '/api/v1/codes', {
    data: 'https://x.example',
    dynamic: true,
    slug: 'my-slug',
  });
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  const text = 'data,slug,dynamic\nhttps://a.example,,yes\nhttps://b.example,my-slug,yes\n';
  await choose(page, file('slugs.csv', text));
  await page.getByRole('button', { name: 'Make 2 codes' }).click();
  await isDone(page);
  await page.getByRole('link', { name: 'Correct the failed rows' }).click();
  const row = page.getByRole('group', { name: 'Row 3' });
  await row.getByText(/^slug: /).waitFor();
  await page.getByText('1 row is left out: 2.').waitFor();
  await row.getByLabel('slug').fill('my-other-slug');
  await row.getByLabel('data').focus();
  await page.getByRole('button', { name: 'Make 1 code', exact: true }).click();
  await page
    .getByText('All 1 code were made', { exact: false })
    .or(page.getByText('1 code was made'))
    .first()
    .waitFor({ timeout: 60_000 });
  t.equal((await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count, 3);
});

t.test('250 rows with two faults: all faulty ones are left out at once, and brought back', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  const rows = Array.from({ length: 250 }, (_, i) => {
    if (i === 17) return ',row-18,200';
    return `Table ${i + 1},row-${i + 1},${i === 203 ? 20 : 200}`;
  });
  await page.getByLabel(/^Rows/).fill(['data,file,width', ...rows].join('\n'));
  await page.getByRole('button', { name: 'Read the table' }).click();
  await page.getByText('2 rows have faults.', { exact: true }).waitFor();
  t.match(await page.getByRole('group', { name: 'Row 19' }).textContent(), /data: must not be/);
  t.match(await page.getByRole('group', { name: 'Row 205' }).textContent(), /width: must be at least 50/);
  await page.getByRole('button', { name: 'Leave out all 2' }).click();
  await page.getByText('2 rows are left out: 19, 205.').waitFor();
  await page.getByRole('button', { name: 'Bring them back' }).click();
  await page.getByRole('button', { name: 'Leave out row 205' }).click();
  await page.getByRole('button', { name: 'Leave out row 19' }).click();
  await page.getByRole('button', { name: 'Make 248 codes' }).click();
  await isDone(page);
  t.equal((await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count, 248);
});

t.test('of a file that is too long to be held, wrong rows are left out one by one', async (t) => {
  const key = await dashboard.account(undefined, 'pro', { monthly_quota: 20_000 });
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  const rows = Array.from({ length: 10_400 }, (_, i) => `https://a.example/${i},${i === 10_200 ? 'no' : ''}`);
  await choose(page, file('long.csv', `data,width\n${rows.join('\n')}\n`));
  await page.getByText('The first 10,000 rows are right. The others are checked').waitFor();
  await page.getByRole('button', { name: 'Make 10,400 codes' }).click();
  await page.locator('.page-title .chip', { hasText: 'Failed' }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Correct and send again' }).click();
  const row = page.getByRole('group', { name: 'Row 10,202' });
  await row.getByText('width: must be a number').waitFor();
  t.equal(await row.getByRole('textbox').count(), 0);
  await inspect(t, page, 'table-long');
  await row.getByRole('button', { name: 'Leave out' }).click();
  await page.getByRole('button', { name: 'Make 10,399 codes' }).click();
  await page.waitForURL(/batches\/[\w-]{36}$/);
  const batches = async () => (await dashboard.api(key, 'GET', '/api/v1/batches')).data;
  await until(async () => ['queued', 'running'].includes((await batches())[0]!.state));
  t.match((await batches())[0], { rows: 10_399, errors: 0, empty_rows: 1, first_empty_rows: [10_202] });
  await dashboard.api(key, 'POST', `/api/v1/batches/${(await batches())[0]!.id}/cancel`);
});

const CUPS = [
  ['Web page', 'Tracked?', 'Title', 'Shelf'],
  ['https://example.com/menu', 'WAHR', 'Menu', 'top'],
  ['https://example.com/bar', 'x', 'Bar', ''],
  ['https://example.com/tea', '', 'Tea', 'top'],
];

/** Chooses an option of a select, by its first letters. */
const chooseOption = async (page: Page, selector: string, words: string): Promise<void> => {
  await tabTo(page, page.locator(selector));
  await page.keyboard.type(words);
};

t.test('a spreadsheet is sent by keyboard alone', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key);
  await go(page, 'table');
  const opened = page.waitForEvent('filechooser');
  await tabTo(page, page.locator('#table-file'));
  await page.keyboard.press('Space');
  await (await opened).setFiles(file('cups.xlsx', xlsxOf(CUPS)));
  await page.getByText('2 columns left out: “Tracked?”, “Shelf”.').waitFor();
  t.equal(await page.getByLabel('Web page').first().inputValue(), 'data');
  await chooseOption(page, '#column-0', 'Leave');
  await page.getByText('Choose the column with the content.').first().waitFor();
  // Letters within one second count as one word.
  await page.waitForTimeout(1200);
  await page.keyboard.type('Content');
  await chooseOption(page, '#column-1', 'Short');
  await page.getByText('Costs 3 units of the').waitFor();
  await tabTo(page, page.locator('.start button.primary'));
  await page.keyboard.press('Enter');
  await isDone(page);
  t.strictSame(
    await codesOf(key, ['content', 'name', 'dynamic']),
    CUPS.slice(1).map(([content, tracked, title]) => [content, title, tracked !== '']),
  );
});

t.test('on a phone in the dark, a spreadsheet is sent with the columns that were chosen', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key, { width: 'phone', colorScheme: 'dark' });
  await go(page, 'table');
  await choose(page, file('cups.xlsx', xlsxOf(CUPS)));
  await page.getByText('3 rows', { exact: true }).waitFor();
  await page.getByLabel('Tracked?').first().selectOption('dynamic');
  await page.getByText('1 column left out: “Shelf”.').waitFor();
  await inspect(t, page, 'table-phone');
  await page.getByRole('button', { name: 'Make 3 codes' }).click();
  await isDone(page);
});

t.test('rows that repeat an earlier one are named, and are faults where they are refused', async (t) => {
  const page = await dashboard.open(t, await dashboard.account());
  await go(page, 'table');
  await choose(page, file('twice.csv', 'data,external_id\nx,A\ny,B\nx,C\nz,A\n'));
  await page.getByText('1 of the 4 rows repeats an earlier one.', { exact: true }).waitFor();
  await page.getByLabel('Every row needs a value of its own in').selectOption('external_id');
  const row = page.getByRole('group', { name: 'Row 5' });
  await row.getByText('external_id: repeats row 2 of the file').waitFor();
  await page.getByLabel('Rows that repeat an earlier one').first().selectOption('refuse');
  await page.getByRole('group', { name: 'Row 4' }).waitFor();
  await inspect(t, page, 'table-repeats');
});

t.test(
  'misprinted addresses are named with their rows, and corrected in place or sent as they are',
  async (t) => {
    const key = await dashboard.account();
    const page = await dashboard.open(t, key);
    await go(page, 'table');
    const cells = [
      'https://a.example',
      'htps://b.example',
      'https//c.example',
      'www.d.example',
      'https://e.example/f g',
    ];
    const right = Array.from({ length: 5 }, (_, at) => `https://right.example/${at}`);
    await choose(
      page,
      file('menus.csv', `name,link\n${[...cells, ...right].map((url) => `x,${url}\n`).join('')}`),
    );
    await page.getByText('4 addresses look misprinted.').first().waitFor();
    await page.getByText('Costs 10 units of the').waitFor();
    const row = (n: number) => page.getByRole('group', { name: `Row ${n}`, exact: true });
    await row(3).getByText('link: This looks like a misprint. Was https://b.example meant?').waitFor();
    await row(6).getByText('Was https://e.example/f%20g meant?').waitFor();
    t.equal(await row(2).count(), 0);
    await inspect(t, page, 'table-misprints');
    await row(3).getByRole('button', { name: 'Correct the address' }).click();
    await row(3).getByText('Corrected').waitFor();
    t.equal(await row(3).getByLabel('link').inputValue(), 'https://b.example');
    await row(4).getByLabel('link').fill('https://other.example');
    await page.keyboard.press('Tab');
    await row(4).getByText('Corrected').waitFor();
    await row(5).getByRole('button', { name: 'Leave out' }).click();
    await page.getByText('1 address looks misprinted.').first().waitFor();
    await page.getByRole('button', { name: 'Bring them back' }).click();
    await page.getByRole('button', { name: 'Correct all 2 addresses' }).click();
    await page.getByText('All 10 rows are right.').waitFor();
    await row(6).getByLabel('link').fill('www.e.example');
    await page.keyboard.press('Tab');
    await page.getByText('1 address looks misprinted.').first().waitFor();
    await page.getByRole('button', { name: 'Make 10 codes' }).click();
    await isDone(page);
    t.strictSame((await codesOf(key, ['content'])).slice(1, 5), [
      ['https://b.example'],
      ['https://other.example'],
      ['https://www.d.example'],
      ['www.e.example'],
    ]);
  },
);

t.test('one switch makes all codes of a table of addresses dynamic, in place of a column', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key, { width: 'phone' });
  await go(page, 'table');
  const all = page.getByLabel('Make all codes dynamic');
  await choose(page, file('texts.csv', 'data\nTable 1\nTable 2\n'));
  await page.getByText('All 2 rows are right.').waitFor();
  t.equal(await all.count(), 0, 'texts lead nowhere');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await choose(page, file('urls.csv', 'data,dynamic\nhttps://a.example,yes\nhttps://b.example,no\nx,no\n'));
  await page.getByText('All 3 rows are right.').waitFor();
  await all.check();
  await page.getByText('1 column left out: “dynamic”.').waitFor();
  const row = page.getByRole('group', { name: 'Row 4' });
  await row.locator('.fault', { hasText: /^data: .*http/ }).waitFor();
  await inspect(t, page, 'table-all-dynamic');
  const column = page.locator('.column-list').getByLabel('dynamic', { exact: true });
  await column.selectOption('dynamic');
  t.notOk(await all.isChecked(), 'the column says it again');
  await page.getByText('All 3 rows are right.').waitFor();
  await all.check();
  await row.getByLabel('data').fill('https://c.example');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Make 3 codes' }).click();
  await isDone(page);
  t.strictSame(await codesOf(key, ['destination', 'dynamic']), [
    ['https://a.example/', true],
    ['https://b.example/', true],
    ['https://c.example/', true],
  ]);
  t.equal((await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count, 3);
});

t.test('an encoding and a delimiter that are chosen show how the file reads then', async (t) => {
  const page = await dashboard.open(t, await dashboard.account());
  await go(page, 'table');
  await choose(
    page,
    file('russian.csv', Buffer.from([...Buffer.from('data|name\nx,y|'), 0xc7, 0xe0, 0xeb, 0x0a])),
  );
  await page.getByText('Encoding and separator').waitFor();
  await page.getByText('Зал').first().click();
  await page.getByLabel('Cells are separated by').selectOption('|');
  const samples = page.locator('.column-list');
  await samples.getByText('Зал', { exact: true }).waitFor();
  await samples.getByText('x,y', { exact: true }).waitFor();
  await shoot(page, 'table-read');
});
