/** Sheets of labels, in a real browser against the built gateway. */
import t from 'tap';
import { createPageCount } from '../../../src/dashboard/screens/labels/pages.ts';
import { until } from '../../servers/until.ts';
import { checkPdf, grayPages, textOf } from '../../support/pictures/print.ts';
import { downloaded, inspect, isTooWide, shoot, startDashboard } from './support.ts';

const CODES = 30;

t.test('labels of a folder', async (t) => {
  const dashboard = await startDashboard(t);
  const key = await dashboard.account();
  const items = Array.from({ length: CODES }, (_, i) => ({ data: `https://example.com/shelf/${i + 1}` }));
  const { meta } = await dashboard.api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Shelves', items });
  const page = await dashboard.open(t, key, { width: 'desktop' });
  await page.goto(`/dashboard/folders/${meta.folder_id}`);
  await page.getByRole('link', { name: 'Labels' }).click();
  await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor();
  const labels = page.locator('.paper .label');
  const codes = page.locator('.paper .label-code');

  await t.test('the first page is shown as it will be printed', async (t) => {
    await page.locator('.paper .label-code img').nth(20).waitFor();
    t.equal(await labels.count(), 21);
    t.equal(await codes.count(), 21);
    t.match(await page.locator('.paper .label-caption').first().textContent(), 'https://example.com/shelf/1');
    const paper = (await page.locator('.paper').boundingBox())!;
    t.ok(Math.abs(paper.height / paper.width - 297 / 210) < 0.01, 'the page has the shape of the paper');
    const label = (await labels.nth(1).boundingBox())!;
    const mm = 210 / paper.width;
    t.ok(Math.abs((label.x - paper.x) * mm - 73.25) < 1, 'the labels are in their places');
    await inspect(t, page, 'labels-first-page');
  });

  await t.test('a setting changes the preview, and an invalid one is reported at its field', async (t) => {
    await page.getByLabel('Start at label').fill('3');
    t.equal(await codes.count(), 19);
    await page.getByLabel('Start at label').fill('22');
    const fault = page.locator('.field .fault').filter({ hasText: 'must be at most 21' });
    await fault.waitFor();
    t.ok(await page.getByRole('button', { name: /^Download/ }).isDisabled());
    await page.getByLabel('Start at label').fill('1');
    await page.getByLabel('Caption what').fill('{shelf}');
    await page.locator('.field .fault').filter({ hasText: '{shelf} is not known' }).waitFor();
    await page.getByLabel('Caption what').fill('{index}: {content}');
    await page.getByLabel('Label sheet').selectOption({ label: 'Custom size' });
    t.equal(await labels.count(), 24);
    await page.getByLabel('Crop marks').check();
    t.ok((await page.locator('.paper .mark').count()) > 20);
  });

  await t.test('the PDF is downloaded, with its pages counted', async (t) => {
    const seen: string[] = [];
    await page.exposeFunction('seeStatus', (text: string) => void seen.push(text));
    await page.evaluate(`new MutationObserver(() => {
      const status = document.querySelector('.labels-side progress + p');
      if (status) window.seeStatus(status.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    const button = page.getByRole('button', { name: 'Download 2 pages (PDF)' });
    const { name, bytes } = await downloaded(page, () => button.click());
    t.equal(name, 'Shelves.pdf');
    await page.getByText('Print at actual size').waitFor();
    await t.resolves(checkPdf(bytes));
    t.equal((await grayPages(bytes, 20)).length, 2);
    t.match(await textOf(bytes), '30: https://example.com');
    t.ok(
      seen.some((text) => /of 2 pages/.test(text)),
      'progress was shown',
    );
    t.equal(createPageCount()(bytes), 2, 'pages are counted in the bytes received');
    const count = createPageCount();
    let counted = 0;
    for (const byte of bytes) counted = count(Uint8Array.of(byte));
    t.equal(counted, 2, 'however the bytes are divided');
  });

  await t.test('label printers get their language, and the preview has their dots', async (t) => {
    await page.getByLabel('Code width, mm').fill('20');
    await page.getByLabel('Format').selectOption('ZPL II, for label printers');
    t.equal(await page.getByLabel('Printer').inputValue(), '203', 'it needs the dots of the printer');
    t.equal(await page.getByLabel('Crop marks').count(), 0, 'what the format does not have is not asked');
    const place = codes.first();
    const sidePx = async (of: typeof place): Promise<number> => (await of.boundingBox())!.width;
    const shown = async (): Promise<number> => (await sidePx(place.locator('img'))) / (await sidePx(place));
    await until(async () => (await shown()) < 0.99);
    const dotsOfModule = (((await shown()) * 20) / 25.4) * 203;
    const modules = [33, 37].map((side) => dotsOfModule / side);
    t.ok(
      modules.some((dots) => Math.abs(dots - Math.round(dots)) < 0.05),
      `${modules} dots a module`,
    );
    await inspect(t, page, 'labels-zpl');
    const button = page.getByRole('button', { name: 'Download 2 pages (ZPL II)' });
    const { name, bytes } = await downloaded(page, () => button.click());
    t.equal(name, 'Shelves.zpl');
    t.match(bytes.toString('latin1'), /^\^XA[\s\S]*\^XZ\s*$/);
    await page.getByText('Send the file to the printer as it is.').waitFor();
    await page.getByLabel('Format').selectOption('EPL2, for label printers');
    await page.getByRole('button', { name: 'Download 2 pages (EPL2)' }).waitFor();
    await page.getByLabel('Format').selectOption('PDF');
    await page.getByLabel('Crop marks').waitFor();
  });

  await t.test('the screen fits a phone', async (t) => {
    const phone = await dashboard.open(t, key, { width: 'phone' });
    await phone.goto(`/dashboard/folders/${meta.folder_id}/labels`);
    await phone.locator('.paper .label-code img').first().waitFor();
    t.notOk(await isTooWide(phone));
    await shoot(phone, 'labels-phone');
  });
});

t.test(
  'Avery labels with names, from a folder and from a selection, with the settings used last',
  async (t) => {
    const dashboard = await startDashboard(t);
    const key = await dashboard.account();
    const call = (method: string, path: string, body?: unknown) => dashboard.api(key, method, path, body);
    const items = ['a', 'b', 'c'].map((data) => ({ data }));
    const { meta } = await call('POST', '/api/v1/qr/bulk', { folderName: 'Shelves', items });
    const { data: codes } = await call('GET', `/api/v1/folders/${meta.folder_id}/codes`);
    for (const [at, name] of ['Apple juice', 'Birch water'].entries())
      await call('PATCH', `/api/v1/codes/${codes[at]!.id}`, { name });
    const page = await dashboard.open(t, key);
    const textOfDownload = async (): Promise<string> => {
      const button = page.getByRole('button', { name: 'Download 1 page (PDF)' });
      return (await textOf((await downloaded(page, () => button.click())).bytes)).replace(/\s+/g, ' ');
    };
    await page.goto(`/dashboard/folders/${meta.folder_id}`);
    await page.getByRole('link', { name: 'Labels' }).click();
    await page.locator('.paper .label-caption').getByText('Apple juice').waitFor();
    await page.getByText('Without a name: 1 of the first 3 codes.').waitFor();
    t.equal(await page.getByLabel('Label sheet').inputValue(), 'avery-l7160');
    await page.getByLabel('Number of the label').check();
    t.equal(await page.getByLabel('Caption what').inputValue(), '{name} {index}');
    t.match(await textOfDownload(), /Apple juice 1 .*Birch water 2/);
    await page.getByLabel('Label sheet').selectOption('avery-l7163');
    await inspect(t, page, 'labels-names');

    await page.goto('/dashboard/codes');
    for (const name of ['Birch water', 'Apple juice']) await page.getByLabel(`Select ${name}`).check();
    const bar = page.getByRole('region', { name: 'Selected codes' });
    await bar.getByRole('button', { name: 'Labels' }).click();
    await page.getByRole('heading', { name: 'Labels', level: 1 }).waitFor();
    t.equal(await page.getByLabel('Label sheet').inputValue(), 'avery-l7163', 'as it was used last');
    t.equal(await page.getByLabel('Caption what').inputValue(), '{name} {index}');
    const text = await textOfDownload();
    t.match(text, /Apple juice 1 .*Birch water 2/);
    await page.reload();
    await page.locator('.paper .label-caption').getByText('Birch water').waitFor();

    const other = await dashboard.open(t, await dashboard.account());
    await other.goto('/dashboard/codes/labels');
    await other.getByText('No codes are chosen.').waitFor();
  },
);
