/** Words, frames and inks of files, and what a batch prints, in a real browser. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../servers/until.ts';
import { readZip } from '../../support/files/zip.ts';
import { readGray } from '../../support/pictures/decode.ts';
import { grayPages, separate, textOf } from '../../support/pictures/print.ts';
import { downloaded, downloadedFile, go, inspect, startDashboard, tabTo } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Download/ });
const told = (dialog: Locator, text: RegExp) => dialog.getByRole('alert').filter({ hasText: text }).waitFor();
const save = async (data: string, more: object = {}): Promise<string> =>
  (await dashboard.api(key, 'POST', '/api/v1/codes', { folder_name: 'Words', data, ...more })).id;
const drawnByApi = async (id: string, query: Readonly<Record<string, string>>): Promise<Buffer> => {
  const answer = await fetch(`${dashboard.url}/api/v1/codes/${id}/image?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return Buffer.from(await answer.arrayBuffer());
};

/** Waits until the picture of what will be printed is higher than wide: it shows what stands below the code. */
const seesWords = (page: Page) =>
  until(() =>
    page.evaluate<boolean>(`(() => {
      const picture = document.querySelector('img[alt="Preview of the file"]');
      return picture !== null && picture.naturalHeight > picture.naturalWidth;
    })()`),
  );

for (const [width, colorScheme] of [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'light'],
] as const)
  t.test(`a caption and a frame are printed by keyboard alone: ${width}, ${colorScheme}`, async (t) => {
    const data = 'https://example.com/7';
    const id = await save(data, { name: 'Table 7', dotsOptions: { color: '#1a4b8c' } });
    const page = await dashboard.open(t, key, { width, colorScheme });
    await go(page, `codes/${id}`);
    await page.getByRole('button', { name: 'Download …' }).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await tabTo(page, dialog.locator('summary', { hasText: 'Words and frame' }));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByLabel('Name', { exact: true }));
    await page.keyboard.press('Space');
    const caption = dialog.getByLabel('Caption what');
    t.equal(await caption.inputValue(), '{name}');
    await tabTo(page, caption);
    await page.keyboard.press('Home');
    await page.keyboard.type('Scan me, ');
    await tabTo(page, dialog.getByLabel('Frame', { exact: true }));
    for (let option = 0; option < 4; option += 1) await page.keyboard.press('ArrowDown');
    t.equal(await dialog.getByLabel('Frame', { exact: true }).inputValue(), 'banner-below');
    t.equal(await dialog.getByLabel('Caption position').count(), 0, 'a band says where the text stands');
    await seesWords(page);
    await dialog.getByText('Grade 4').waitFor();
    await inspect(t, page, `words-${width}-${colorScheme}`);
    await tabTo(page, dialog.getByRole('button', { name: 'Download' }));
    const { bytes } = await downloaded(page, () => page.keyboard.press('Enter'));
    t.match(await textOf(bytes), /Scan me, Table 7/);
    const [sheet] = await grayPages(bytes, 300);
    t.equal(await readGray(sheet!), data);
    const asked = {
      ...{ format: 'pdf', width_mm: '30', caption: 'Scan me, {name}', frame: 'banner-below' },
    };
    t.ok(bytes.equals(await drawnByApi(id, asked)), 'it is the file of the API');

    await page.reload();
    await page.getByRole('button', { name: 'Download …' }).click();
    t.equal(await caption.inputValue(), 'Scan me, {name}', 'what was typed is kept');
  });

t.test('what the service refuses is said at its field, and a profile keeps words and inks', async (t) => {
  const design = { dotsOptions: { color: '#1a4b8c' } };
  const id = await save('https://example.com/inks', { name: 'Inks', ...design });
  const page = await dashboard.open(t, key);
  await go(page, `codes/${id}`);
  await page.getByRole('button', { name: 'Download …' }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('Words and frame', { exact: true }).click();
  const caption = dialog.getByLabel('Caption what');
  await caption.fill('long '.repeat(40));
  await told(dialog, /does not fit below this code/);
  t.equal(await caption.getAttribute('aria-invalid'), 'true');
  t.ok(await dialog.getByRole('button', { name: 'Download' }).isDisabled());
  await dialog.getByLabel('Cut captions that do not fit').check();
  await dialog.getByText('1 caption cut.').waitFor();
  await dialog.getByLabel('Frame', { exact: true }).selectOption('Band above, with the text');
  await caption.fill('');
  await told(dialog, /Write the text that stands in the band/);
  await caption.fill('Menu');
  await dialog.getByText('Inks for the press').click();
  const spots = dialog.getByLabel('Spot colours');
  await spots.fill('ff0000=Gold');
  await told(dialog, /No part of the design, nor its caption or frame, has the opaque colour #ff0000/);
  await spots.fill('1a4b8c=PANTONE 286 C');
  await dialog.getByLabel('Cutting line').fill('CutContour');
  await dialog.getByLabel('Its corners').fill('3');
  await dialog.getByText('Grade 4').waitFor();
  await inspect(t, page, 'inks');
  const plates = await separate((await downloadedFile(page)).bytes, 100);
  t.match([...plates.keys()].sort().join(), /CutContour,.*PANTONE 286 C/);

  await dialog.getByRole('button', { name: 'Save as a profile' }).click();
  await dialog.getByLabel('Name of the profile').fill('Brand');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete “Brand”' }).waitFor();
  const { data } = await dashboard.api(key, 'GET', '/api/v1/print-profiles');
  const options = {
    ...{ format: 'pdf', width_mm: 30, caption: 'Menu', frame: 'banner-above', allow: 'cut' },
    ...{ spots: '1a4b8c=PANTONE 286 C', dieline: 'CutContour', dieline_radius_mm: 3 },
  };
  t.strictSame(data[0]!.options, options);
});

t.test('a design that is not saved shows its caption before it is paid for', async (t) => {
  const page = await dashboard.open(t, key);
  await page.goto('/dashboard/design');
  await page.getByLabel('Web address').fill('https://example.com/poster');
  await page.getByRole('button', { name: 'Download …' }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('Words and frame', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Choose a size on paper' }).click();
  await dialog.getByLabel('Caption what').fill('Poster');
  await seesWords(page);
  await dialog.getByText('PDF', { exact: true }).click();
  await dialog.getByText('Grade 4').waitFor();
  t.match(await textOf((await downloadedFile(page)).bytes), /Poster/);
});

t.test('a batch prints captions of its columns, one PDF with a proof, and rows again', async (t) => {
  const page = await dashboard.open(t, key);
  await page.goto('/dashboard/table');
  const text = `data,Seat\n${['A1', 'B2', 'C3'].map((seat) => `https://example.com/${seat},${seat}\n`).join('')}`;
  const buffer = Buffer.from(text);
  await page.locator('#table-file').setInputFiles({ name: 'seats.csv', mimeType: 'text/csv', buffer });
  const heading = page.getByRole('heading', { name: 'Codes and files' });
  const card = page.locator('section', { has: heading });
  await card.getByLabel('PDF', { exact: true }).check();
  await card.getByLabel('PNG', { exact: true }).uncheck();
  await card.getByText('Millimetres').click();
  await card.getByText('Words and frame', { exact: true }).click();
  await card.getByLabel('Seat', { exact: true }).check();
  t.equal(await card.getByLabel('Caption what').inputValue(), '{Seat}');
  await seesWords(page);
  await card.getByText('The list of files in the ZIP').click();
  await card.getByLabel('It is for').selectOption('Label software, such as BarTender');
  await card.getByLabel('With all columns of the file').check();
  await card.getByLabel('Compare them with your earlier batches, too').check();
  await inspect(t, page, 'batch-words');
  await page.getByRole('button', { name: 'Make 3 codes' }).click();
  await page.locator('.page-title .chip', { hasText: 'Done' }).waitFor({ timeout: 60_000 });

  const part = page.getByRole('link', { name: 'Download part 1' });
  const files = await readZip((await downloaded(page, () => part.click())).bytes);
  const manifest = files.at(-1)!.bytes.toString();
  t.match(manifest, /^\ufeff.*Seat/, 'the list has a byte order mark and the columns of the file');
  t.match(manifest, /C3/);
  const document = page.getByRole('link', { name: 'One PDF of part 1' });
  const proofed = await textOf((await downloaded(page, () => document.click())).bytes);
  t.match(proofed, /SHA-256[\s\S]*A1[\s\S]*B2[\s\S]*C3/);
  await page.getByLabel('One PDF begins with a proof page').uncheck();
  const plain = await downloaded(page, () => document.click());
  t.equal((await grayPages(plain.bytes, 30)).length, 3);
  await inspect(t, page, 'batch-files');

  await page.getByRole('button', { name: 'Print rows again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Print rows again' });
  const rows = dialog.getByLabel('Rows by their numbers');
  await rows.fill('two');
  await dialog.getByText('Write rows as in 300-420').waitFor();
  await rows.fill('2-9');
  await dialog.getByRole('button', { name: 'Download' }).click();
  await told(dialog, /must be at most 3, the last row of the batch/);
  await rows.fill('2-3');
  await dialog.getByText('One PDF', { exact: true }).click();
  const again = await downloaded(page, () => dialog.getByRole('button', { name: 'Download' }).click());
  t.notMatch(await textOf(again.bytes), /A1/);
  t.match(await textOf(again.bytes), /B2[\s\S]*C3/);
  await dialog.getByText('Printed again before').click();
  await dialog.getByText('Rows 2-3').waitFor();
  await inspect(t, page, 'batch-reprint');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { data } = await dashboard.api(key, 'GET', `/api/v1/batches/${id}/reprints`);
  t.match(data, [{ rows: '2-3', codes: 2 }]);
});
