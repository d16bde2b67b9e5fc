/** Logos, gradients, dropped files, and what plans and keys allow, in a real browser against a gateway. */
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import t from 'tap';
import { until } from '../servers/until.ts';
import { decodePng } from '../support/decode.ts';
import { startDashboard } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const go = async (page: Page, screen: string): Promise<void> => {
  await page.goto(`/dashboard/${screen}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

const redSquare = (): Buffer => {
  const picture = new PNG({ width: 16, height: 16 });
  picture.data.fill(Buffer.from([255, 0, 0, 255]));
  return PNG.sync.write(picture);
};

const isRedInside = (bytes: Buffer): boolean => {
  const { width, height, data } = PNG.sync.read(bytes);
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return data[at]! > 200 && data[at + 1]! < 60 && data[at + 2]! < 60;
};

const makeAndRead = async (page: Page): Promise<string | null> => {
  await page.getByRole('button', { name: 'Make the code' }).click();
  await page.locator('.made img').waitFor();
  return decodePng(await page.locator('.made img').screenshot());
};

t.test('a logo from a file is previewed and made, and other files are refused', async (t) => {
  const { page } = await dashboard.signedIn(key);
  await go(page, 'design');
  await page.getByLabel('Content').fill('https://example.com/logo');
  await page.locator('summary', { hasText: 'Logo' }).click();
  const upload = page.getByLabel('Upload');
  await upload.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
  await page.getByText('Choose a PNG, JPEG, WebP or SVG file.').waitFor();
  await upload.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: redSquare() });
  await until(async () => isRedInside(await page.locator('.stage img').screenshot()));
  t.equal(await makeAndRead(page), 'https://example.com/logo');
  t.ok(isRedInside(await page.locator('.made img').screenshot()));
});

t.test('a gradient is in the request and in the code', async (t) => {
  const { page } = await dashboard.signedIn(key);
  await go(page, 'design');
  await page.getByLabel('Content').fill('https://example.com/gradient');
  const dots = page.getByRole('group', { name: 'Dots', exact: true });
  await dots.getByLabel('Paint').selectOption('linear');
  const json = JSON.parse((await page.locator('.listing').first().textContent()) ?? '');
  t.match(json.dotsOptions.gradient, { type: 'linear', colorStops: [{ offset: 0 }, { offset: 1 }] });
  t.equal(await makeAndRead(page), 'https://example.com/gradient');
});

t.test('a dropped CSV is accepted, and bulk import on Free says that it needs Pro', async (t) => {
  const free = await dashboard.account(undefined, 'free');
  const { page } = await dashboard.signedIn(free);
  await go(page, 'import');
  await page.getByText('Making codes from a file needs the Pro plan, and').waitFor();
  const transfer = await page.evaluateHandle(
    `(() => { const t = new DataTransfer(); t.items.add(new File(['data\\none\\ntwo\\n'], 'a.csv')); return t; })()`,
  );
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
  await page.getByText('2 can be made').waitFor();
  t.ok(await page.getByRole('button', { name: 'Make 2 codes' }).isDisabled());
  t.equal((await dashboard.api(free, 'GET', '/api/v1/usage')).usage_count, 0);
  await go(page, 'design');
  await page.getByLabel('Content').fill('single');
  t.equal(await makeAndRead(page), 'single');
});

t.test('a key without generate makes nothing, and the designer says why', async (t) => {
  const { page } = await dashboard.signedIn(await dashboard.account(['manage']));
  await go(page, 'design');
  await page.getByText('one that has the scope “generate”').waitFor();
  t.ok(await page.getByRole('button', { name: 'Make the code' }).isDisabled());
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"data":"x"}' };
  const status = await page.evaluate(`fetch('/api/v1/qr', ${JSON.stringify(body)}).then((a) => a.status)`);
  t.equal(status, 403);
});

t.test('without a clipboard the text is shown for copying by hand', async (t) => {
  const { page } = await dashboard.signedIn(key);
  await page.addInitScript('delete Navigator.prototype.clipboard');
  await go(page, 'design');
  await page.locator('summary', { hasText: 'For programs' }).click();
  await page.getByRole('button', { name: 'Copy JSON' }).click();
  const toast = page.locator('.toast');
  await toast.waitFor();
  t.match(await toast.textContent(), 'Select the text and copy it');
});
