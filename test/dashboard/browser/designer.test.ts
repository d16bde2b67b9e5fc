/** The designer in a real browser: presets, saved codes, dropped files, and what plans and keys allow. */
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import t from 'tap';
import { until } from '../../servers/until.ts';
import { decodePng } from '../../support/pictures/decode.ts';
import { downloaded, downloadedFile, go, inspect, startDashboard, tabTo } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

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

/** The decoded content of the file that "Download" saves. */
const makeAndRead = async (page: Page): Promise<string | null> => {
  await page.getByRole('button', { name: 'Download …' }).click();
  const { bytes } = await downloadedFile(page);
  await page.keyboard.press('Escape');
  return decodePng(bytes);
};

/** The request as the screen shows it to developers. */
const requestOf = async (page: Page) =>
  JSON.parse((await page.locator('.listing').first().textContent()) ?? '');

t.test('a logo file is previewed and drawn, and other files are refused', async (t) => {
  const { page } = await dashboard.signedIn(key);
  await go(page, 'design');
  await page.getByLabel('Web address').fill('https://example.com/logo');
  await page.locator('summary', { hasText: 'Logo' }).click();
  const upload = page.getByLabel('Upload');
  await upload.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
  await page.getByText('Choose a PNG, JPEG, WebP or SVG file.').waitFor();
  await upload.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: redSquare() });
  await until(async () => isRedInside(await page.locator('.stage img').screenshot()));
  t.equal(await makeAndRead(page), 'https://example.com/logo');
});

t.test('a gradient appears in the request and in the code', async (t) => {
  const { page } = await dashboard.signedIn(key);
  await go(page, 'design');
  await page.getByLabel('Web address').fill('https://example.com/gradient');
  const dots = page.getByRole('group', { name: 'Dots', exact: true });
  await dots.getByLabel('Fill').selectOption('linear');
  const { gradient } = (await requestOf(page)).dotsOptions;
  t.match(gradient, { type: 'linear', colorStops: [{ offset: 0 }, { offset: 1 }] });
  t.equal(await makeAndRead(page), 'https://example.com/gradient');
});

for (const [width, colorScheme] of [
  ['desktop', 'light'],
  ['phone', 'dark'],
] as const)
  t.test(`on a ${width} a code is designed, saved and downloaded by keyboard alone`, async (t) => {
    const page = await dashboard.open(t, key, { width, colorScheme });
    if (width === 'desktop') await page.setViewportSize({ width: 1280, height: 800 });
    await go(page, 'design');
    const panel = page.getByRole('region', { name: 'Preview' });
    await panel.getByText(/Grade 4/).waitFor();
    for (const what of [panel.getByRole('img'), ...(await panel.getByRole('button').all())]) {
      const { y = 0, height = 0 } = (await what.boundingBox()) ?? {};
      t.ok(height > 0 && y + height <= (width === 'desktop' ? 800 : 844), 'the whole panel is visible');
    }
    await tabTo(page, page.getByLabel('Web address'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('example.com/keys');
    await tabTo(page, page.getByRole('button', { name: 'Add https://' }));
    await page.keyboard.press('Enter');
    const dots = page.getByRole('group', { name: 'Dots', exact: true });
    await tabTo(page, dots.getByRole('radio').first());
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await until(async () => (await requestOf(page)).dotsOptions.type === 'rounded');
    // Six styles of dots, eight for each part of the corners, and six looks.
    for (const [pictures, count] of [
      ['.swatch img', 22],
      ['.look-picture img', 6],
    ] as const)
      await until(async () => (await page.locator(pictures).count()) === count);

    if (width === 'phone') {
      await page.evaluate('scrollTo(0, 900)');
      t.ok(((await panel.boundingBox())?.y ?? 99) < 1, 'the picture stays at the top');
      await tabTo(page, panel.getByRole('button', { name: 'Save' }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    }
    const save = page.getByRole('button', { name: 'Save', exact: true }).last();
    await tabTo(page, save);
    await page.keyboard.press('Enter');
    await page.getByText('Downloads are free now').waitFor();
    await inspect(t, page, `designer-saved-${width}`);
    if (width === 'phone') {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await tabTo(page, panel.getByRole('button', { name: 'Download …' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Download' });
    await dialog.getByText('Grade 4').waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Download' }));
    const { bytes } = await downloaded(page, () => page.keyboard.press('Enter'));
    t.equal(await decodePng(bytes), 'https://example.com/keys');
  });

t.test('a form composes the content for a Wi-Fi network', async (t) => {
  const { page, leave } = await dashboard.signedIn(key);
  await go(page, 'design');
  await page.getByText('Wi-Fi', { exact: true }).click();
  await page.getByLabel('Network name').fill('Café; Aurora');
  await page.getByText('Enter the password.').waitFor();
  t.ok(await page.getByRole('button', { name: 'Download' }).isDisabled());
  await page.getByLabel('Password').fill('a:b');
  await page.locator('.kind-text', { hasText: 'WIFI:T:WPA;' }).waitFor();
  await until(async () => page.getByRole('button', { name: 'Download' }).isEnabled());
  t.equal(await makeAndRead(page), 'WIFI:T:WPA;S:Café\\; Aurora;P:a\\:b;;');
  await leave();
});

t.test('a preset is saved, applied to new designs, renamed and deleted', async (t) => {
  const page = await dashboard.open(t, await dashboard.account());
  await go(page, 'design');
  await page.getByRole('button', { name: 'Forest' }).click();
  await page.getByRole('button', { name: 'Save as preset' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('House');
  await page.keyboard.press('Enter');
  const preset = page.getByRole('button', { name: 'House', exact: true });
  await preset.locator('img').waitFor();
  await page.getByRole('button', { name: 'Manage presets' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your presets' });
  await dialog.getByLabel('Start with it').click();
  await until(async () => dialog.getByLabel('Start with it').isChecked());
  await inspect(t, page, 'presets');
  await page.reload();
  await preset.waitFor();
  t.equal((await requestOf(page)).dotsOptions.type, 'classy-rounded', 'a new design starts from it');
  await page.getByRole('button', { name: 'Sunset' }).click();
  await preset.click();
  await until(async () => (await preset.getAttribute('aria-pressed')) === 'true');
  t.equal((await requestOf(page)).dotsOptions.type, 'classy-rounded');

  await page.getByRole('button', { name: 'Manage presets' }).click();
  await dialog.getByLabel('Name of House').fill('Hotel');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Name of Hotel').waitFor();
  await dialog.getByRole('button', { name: 'Delete Hotel' }).click();
  await dialog.getByRole('button', { name: 'Delete Hotel now' }).click();
  await dialog.getByLabel('Name of Hotel').waitFor({ state: 'detached' });
});

t.test('a saved code gets another design, or is the start of another code', async (t) => {
  const items = [{ data: 'https://example.com/menu', dynamic: true, dotsOptions: { type: 'dots' } }];
  const made = await dashboard.api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Redesigned', items });
  const codes = () => dashboard.api(key, 'GET', `/api/v1/folders/${made.meta.folder_id}/codes`);
  const { id } = (await codes()).data[0]!;
  const page = await dashboard.open(t, key);
  await page.goto(`/dashboard/design?edit=${id}`);
  await page.getByRole('heading', { name: 'Edit design', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Download …' }).waitFor();
  t.strictSame(await page.locator('main button.primary').allTextContents(), ['Save changes']);
  await page.getByText('https://example.com/menu').first().waitFor();
  t.equal((await requestOf(page)).dotsOptions.type, 'dots');
  await page.getByRole('button', { name: 'Forest' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  t.match(await dashboard.api(key, 'GET', `/api/v1/codes/${id}`), {
    slug: made.results[0]!.slug,
    design: { dotsOptions: { type: 'classy-rounded' } },
  });
  await inspect(t, page, 'designer-edit');

  await page.getByRole('link', { name: 'Duplicate the code' }).click();
  await page.getByRole('heading', { name: 'Designer', level: 1 }).waitFor();
  await page.getByLabel('Web address').fill('https://example.com/drinks');
  await page.getByLabel('Folder').fill('Redesigned');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Open code' }).waitFor();
  const { data } = await codes();
  t.match(data, [{ id }, { content: 'https://example.com/drinks', dynamic: true }]);
});

t.test('a dropped CSV is checked, and on the Free plan it is said that its codes need Pro', async (t) => {
  const free = await dashboard.account(undefined, 'free');
  const { page } = await dashboard.signedIn(free);
  await go(page, 'table');
  await page.getByText('Making codes from a file needs the Pro plan.').waitFor();
  const transfer = await page.evaluateHandle(
    `(() => { const t = new DataTransfer(); t.items.add(new File(['data\\none\\ntwo\\n'], 'a.csv')); return t; })()`,
  );
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
  await page.getByText('All 2 rows are right.').waitFor();
  t.ok(await page.getByRole('button', { name: 'Make 2 codes' }).isDisabled());
  t.equal((await dashboard.api(free, 'GET', '/api/v1/usage')).usage_count, 0);
  await go(page, 'design');
  await page.getByLabel('Web address').fill('single');
  t.equal(await makeAndRead(page), 'single');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Open code' }).waitFor();
  t.match(await dashboard.api(free, 'GET', '/api/v1/codes'), { data: [{ content: 'single' }] });
});

t.test('a key without the scope generate cannot make a code, and the designer says why', async (t) => {
  const { page } = await dashboard.signedIn(await dashboard.account(['manage']));
  await go(page, 'design');
  await page.getByText('one that may create codes').waitFor();
  t.ok(await page.getByRole('button', { name: 'Download' }).isDisabled());
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"data":"x"}' };
  const status = await page.evaluate(`fetch('/api/v1/qr', ${JSON.stringify(body)}).then((a) => a.status)`);
  t.equal(status, 403);
});

t.test('without a clipboard the text is shown so that it can be copied by hand', async (t) => {
  const { page } = await dashboard.signedIn(key);
  await page.addInitScript('delete Navigator.prototype.clipboard');
  await go(page, 'design');
  await page.locator('summary', { hasText: 'For developers' }).click();
  await page.getByRole('button', { name: 'Copy JSON' }).click();
  const toast = page.locator('.toast');
  await toast.waitFor();
  t.match(await toast.textContent(), 'Select the text and copy it');
});
