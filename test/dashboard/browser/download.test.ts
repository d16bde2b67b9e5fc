/** Downloads for print in a real browser: of a saved code, a selection, a folder and in the designer. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { readZip } from '../../support/files/zip.ts';
import { decodePng, readGray } from '../../support/pictures/decode.ts';
import { grayPages } from '../../support/pictures/print.ts';
import { downloaded, downloadedFile, go, inspect, startDashboard } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const told = (dialog: Locator, text: RegExp) => dialog.getByRole('alert').filter({ hasText: text }).waitFor();
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Download/ });

/** Saves codes in a folder, and returns the folder and their ids in their order. */
const save = async (folderName: string, codes: readonly object[]) => {
  const ids: string[] = [];
  let folder = '';
  for (const code of codes) {
    const saved = await dashboard.api(key, 'POST', '/api/v1/codes', { folder_name: folderName, ...code });
    ids.push(saved.id);
    folder = saved.folder_id;
  }
  return { folder, ids };
};

/** Returns the page of a PDF in millimetres, with its bleed. */
const mediaBoxMm = (pdf: Buffer): readonly number[] => {
  const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? [];
  return [width, height].map((points) => Math.round((Number(points) / 72) * 25.4 * 100) / 100);
};

t.test('a branded PDF of 30 mm takes two clicks from the screen of its code', async (t) => {
  const design = { shape: 'square', dotsOptions: { type: 'rounded', color: '#1a4b8c' } };
  const data = 'https://example.com/spring';
  const { ids } = await save('Branded', [{ data, name: 'Spring poster A2', ...design }]);
  const page = await dashboard.open(t, key);
  await go(page, `codes/${ids[0]}`);
  await page.getByRole('button', { name: 'Download …' }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('30 × 30 mm, module 0.81 mm').waitFor();
  await dialog.getByText('Grade 4').waitFor();
  const { name, bytes } = await downloadedFile(page);
  t.equal(name, 'Spring poster A2.pdf');
  t.strictSame(mediaBoxMm(bytes), [30, 30]);
  const [sheet] = await grayPages(bytes, 300);
  t.equal(await readGray(sheet!), data);
  await dialog.getByText('Downloaded as “Spring poster A2.pdf”.').waitFor();
  await page.setViewportSize({ width: 800, height: 900 });
  await page.locator('.code-columns').waitFor({ state: 'detached' });
  t.ok(await dialog.isVisible(), 'it stays open when the window gets narrow');
});

for (const size of ['phone', 'desktop'] as const) {
  t.test(`on a ${size} a saved code is downloaded for print, by keyboard alone`, async (t) => {
    const { ids } = await save(`Print on ${size}`, [{ data: 'Table 7' }]);
    const page = await dashboard.open(t, key, { width: size });
    await go(page, `codes/${ids[0]}`);
    await page.getByRole('button', { name: 'Download …' }).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    const [width, resolution] = [dialog.getByLabel('Width mm'), dialog.getByLabel('Resolution')];
    t.equal(await width.inputValue(), '30');
    t.equal(await resolution.count(), 0, 'a PDF has no dots');
    await dialog.getByLabel('PDF', { exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    t.ok(await dialog.getByLabel('PNG', { exact: true }).isChecked());
    // 29 modules of 24 dots are the largest that fit.
    await dialog.getByText('29.46 × 29.46 mm, module 1.02 mm, 600 dpi').waitFor();
    await width.focus();
    const png = await downloaded(page, () => page.keyboard.press('Enter'));
    t.equal(png.name, 'Table-7.png');
    t.equal(await decodePng(png.bytes), 'Table 7');
    const { density, width: widthPx } = await sharp(png.bytes).metadata();
    t.strictSame([density, widthPx], [600, 29 * 24]);
    await inspect(t, page, `download-${size}`);

    await width.fill('0.5');
    await told(dialog, /Enter a number from 1 to 5,000/);
    t.equal(await width.getAttribute('aria-invalid'), 'true');
    t.equal(await resolution.getAttribute('aria-invalid'), 'false');
    await width.fill('900');
    await told(dialog, /It gives \d+ pixels a side/);
    t.ok(await dialog.getByRole('button', { name: 'Download' }).isDisabled());
    await width.fill('8');
    await dialog.getByText('make it 10 mm wide or more').waitFor();
    await dialog.getByText(/Grade [0-3]/).waitFor();

    await dialog.getByText('SVG', { exact: true }).click();
    await dialog.getByText('Pixels', { exact: true }).click();
    await dialog.getByLabel('Width px').fill('49');
    await told(dialog, /from 50 to 2,000/);
    await dialog.getByLabel('Width px').fill('800');
    const svg = await downloaded(page, () => page.keyboard.press('Enter'));
    t.match(svg.bytes.toString(), / width="800"/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.reload();
    await page.getByRole('button', { name: 'Download …' }).click();
    t.equal(await dialog.getByLabel('Width px').inputValue(), '800', 'the last choice is remembered');
  });
}

t.test('a selection is downloaded as PDFs, and its choice saved as a profile for other places', async (t) => {
  const { folder, ids } = await save('Chosen', [
    { data: 'https://example.com/1', name: 'Menu' },
    { data: 'https://example.com/2', name: 'Menu' },
    { data: `https://example.com/${'long/'.repeat(20)}`, name: 'Long' },
  ]);
  const page = await dashboard.open(t, key);
  await go(page, `folders/${folder}`);
  await page.getByLabel(/^Select all/).check();
  await page
    .getByRole('region', { name: 'Selected codes' })
    .getByRole('button', { name: 'Download' })
    .click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('PDF', { exact: true }).check();
  await dialog.getByLabel('PNG', { exact: true }).uncheck();
  await dialog.getByText('Millimetres').click();
  await dialog.getByText('More for print').click();
  await dialog.getByLabel('Bleed mm').fill('2');
  await dialog.getByLabel('CMYK').check();
  await dialog.getByText('Tried with “Long”').waitFor();
  const { bytes } = await downloadedFile(page);
  const files = await readZip(bytes);
  t.strictSame(
    files.map(({ name }) => name),
    ['Menu.pdf', 'Menu (2).pdf', 'Long.pdf', 'manifest.csv'],
  );
  for (const file of files.slice(0, 3)) t.strictSame(mediaBoxMm(file.bytes), [34, 34]);

  await dialog.getByRole('button', { name: 'Save as a profile' }).click();
  await dialog.getByLabel('Name of the profile').fill('Flyer 30 mm');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete “Flyer 30 mm”' }).waitFor();
  await inspect(t, page, 'print-profile');
  const { data } = await dashboard.api(key, 'GET', '/api/v1/print-profiles');
  t.match(data, [
    { name: 'Flyer 30 mm', options: { format: 'pdf', width_mm: 30, bleed_mm: 2, color: 'cmyk' } },
  ]);
  await page.keyboard.press('Escape');

  await go(page, `codes/${ids[0]}`);
  await page.getByRole('button', { name: 'Download …' }).click();
  await dialog.getByLabel('Profile').selectOption('Flyer 30 mm');
  await dialog.getByLabel('Width mm').fill('40');
  await dialog.getByRole('button', { name: 'Save the changes to “Flyer 30 mm”' }).click();
  await dialog.getByRole('button', { name: 'Delete “Flyer 30 mm”' }).waitFor();
  const changed = await dashboard.api(key, 'GET', '/api/v1/print-profiles');
  t.match(changed.data, [{ options: { width_mm: 40, bleed_mm: 2 } }]);
  await dialog.getByText('40 × 40 mm').waitFor();
  t.strictSame(mediaBoxMm((await downloadedFile(page)).bytes), [44, 44]);
  await dialog.getByRole('button', { name: 'Delete “Flyer 30 mm”' }).click();
  await dialog.getByLabel('Profile').waitFor({ state: 'detached' });
});

t.test('a folder is downloaded as a ZIP of EPS and PNG files, in three clicks', async (t) => {
  const { folder } = await save('Crate', [{ data: 'Table 1' }, { data: 'Table 2', name: 'Two' }]);
  const page = await dashboard.open(t, key);
  await go(page, `folders/${folder}`);
  await page.getByRole('button', { name: 'Download ZIP' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('EPS', { exact: true }).check();
  await dialog.getByText('Grade 4').waitFor();
  const { name, bytes } = await downloadedFile(page);
  t.equal(name, 'Crate.zip');
  const files = await readZip(bytes);
  t.strictSame(
    files.map((file) => file.name),
    ['png/00001-Table-1.png', 'eps/00001-Table-1.eps', 'png/Two.png', 'eps/Two.eps', 'manifest.csv'],
  );
  t.match(files[1]!.bytes.toString('latin1'), /^%!PS-Adobe-3\.0 EPSF/);
});

t.test('the designer downloads files for print, at no cost for a code that it saved', async (t) => {
  const page = await dashboard.open(t, key);
  await page.goto('/dashboard/design');
  await page.getByLabel('Web address').fill('Poster');
  const panel = page.getByRole('region', { name: 'Preview' });
  const open = () => page.getByRole('button', { name: 'Download …' }).click();
  await open();
  const dialog = dialogOf(page);
  const pick = (name: string) => dialog.getByText(name, { exact: true }).click();
  await pick('Millimetres');
  await dialog.getByLabel('Width mm').fill('1');
  await told(dialog, /It gives less than a dot a module at 600 dpi; this code needs at least [\d.]+ mm/);
  await dialog.getByLabel('Width mm').fill('40');
  await dialog.getByText('39.29 × 39.29 mm, module 1.35 mm, 600 dpi').waitFor();
  const png = await downloadedFile(page);
  t.equal(await decodePng(png.bytes), 'Poster');
  t.equal((await sharp(png.bytes).metadata()).density, 600);
  await pick('SVG');
  await dialog.getByLabel('Width mm').fill('14.5');
  await dialog.getByText('14.5 × 14.5 mm').waitFor();
  const svg = await downloadedFile(page);
  t.equal(svg.name, 'Poster.svg');
  t.match(svg.bytes.toString(), /width="14\.5mm"/);
  await dialog.getByText('Downloaded as “Poster.svg”.').waitFor();
  await page.keyboard.press('Escape');

  await panel.getByLabel('Name').fill('Spring poster A2');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByText('Downloads are free now').waitFor();
  const used = async () => (await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count;
  const before = await used();
  await open();
  await pick('EPS');
  const eps = await downloadedFile(page);
  t.equal(eps.name, 'Spring poster A2.eps');
  t.match(eps.bytes.toString('latin1'), /^%!PS-Adobe-3\.0 EPSF/);
  t.equal(await used(), before);
});
