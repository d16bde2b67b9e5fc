/** Downloads for print in a real browser: of a saved code and in the designer. */
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { decodePng } from '../../support/pictures/decode.ts';
import { downloaded, inspect, startDashboard } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const told = (dialog: Locator, text: RegExp) => dialog.getByRole('alert').filter({ hasText: text }).waitFor();

for (const size of ['phone', 'desktop'] as const) {
  t.test(`on a ${size} a saved code is downloaded for print, by keyboard alone`, async (t) => {
    const made = await dashboard.api(key, 'POST', '/api/v1/qr/bulk', {
      folderName: `Print on ${size}`,
      items: [{ data: 'Table 7' }],
    });
    const { data } = await dashboard.api(key, 'GET', `/api/v1/folders/${made.meta.folder_id}/codes`);
    const { id } = data[0]!;
    const page = await dashboard.open(t, key, { width: size });
    await page.goto(`/dashboard/codes/${id}`);
    await page.getByRole('button', { name: 'Download' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Download' });
    const [module, resolution] = [dialog.getByLabel('Module'), dialog.getByLabel('Resolution')];
    t.equal(await module.inputValue(), '0.508');
    t.equal(await resolution.inputValue(), '600');
    const png = await downloaded(page, async () => {
      await module.focus();
      await page.keyboard.press('Enter');
    });
    t.equal(png.name, `${id}.png`);
    t.equal(await decodePng(png.bytes), 'Table 7');
    t.equal((await sharp(png.bytes).metadata()).density, 600);
    await dialog.getByText('Downloaded. Grade 4.').waitFor();

    await module.fill('0.5');
    await page.keyboard.press('Enter');
    await told(dialog, /It gives 11.811 dots a module at 600 dpi.*0.508/);
    t.equal(await module.getAttribute('aria-invalid'), 'true');
    t.equal(await resolution.getAttribute('aria-invalid'), 'false');
    await resolution.fill('10');
    await page.keyboard.press('Enter');
    await told(dialog, /Enter a whole number from 72 to 2400/);
    await inspect(t, page, `download-${size}`);

    await dialog.getByLabel('Format').focus();
    await page.keyboard.type('PDF');
    await resolution.waitFor({ state: 'detached' });
    await module.fill('0.28');
    const pdf = await downloaded(page, () => page.keyboard.press('Enter'));
    t.equal(pdf.name, `${id}.pdf`);
    t.match(pdf.bytes.toString('latin1'), /^%PDF-/);
    await dialog.getByText(/Downloaded\. Grade [0-3]: small modules \(0\.28 mm\)\./).waitFor();

    await dialog.getByLabel('Format').selectOption('svg');
    await dialog.getByLabel('Size').selectOption('px');
    await dialog.getByLabel('Width').fill('49');
    await page.keyboard.press('Enter');
    await told(dialog, /from 50 to 2000/);
    await dialog.getByLabel('Width').fill('800');
    const svg = await downloaded(page, () => page.keyboard.press('Enter'));
    t.match(svg.bytes.toString(), / width="800"/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
}

t.test('the designer downloads files for print, at no cost for a code that it saved', async (t) => {
  const page = await dashboard.open(t, key);
  await page.goto('/dashboard/design');
  await page.getByLabel('Web address').fill('Poster');
  const panel = page.getByRole('region', { name: 'Preview' });
  const pick = (name: string) => panel.getByText(name, { exact: true }).click();
  const get = () => downloaded(page, () => panel.getByRole('button', { name: 'Download' }).click());
  await pick('mm');
  await panel.getByLabel('Width').fill('1');
  await told(panel, /At 600 dpi it needs 2 mm or more/);
  await panel.getByLabel('Width').fill('40');
  const png = await get();
  t.equal(await decodePng(png.bytes), 'Poster');
  t.equal((await sharp(png.bytes).metadata()).density, 600);
  await pick('SVG');
  await panel.getByLabel('Width').fill('14.5');
  const svg = await get();
  t.equal(svg.name, 'code.svg');
  t.match(svg.bytes.toString(), /width="14\.5mm"/);
  await panel.getByText('Downloaded.').waitFor();

  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByText('Downloads are free now').waitFor();
  const used = async () => (await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count;
  const before = await used();
  await pick('EPS');
  t.match((await get()).bytes.toString('latin1'), /^%!PS-Adobe-3\.0 EPSF/);
  t.equal(await used(), before);
});
