/** Designer and keys, in a real browser against the built gateway. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../servers/until.ts';
import { decodePng } from '../../support/pictures/decode.ts';
import { downloadedFile, go, graveFaults, inspect, shoot, startDashboard } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const usage = async (): Promise<number> => (await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count;

const makeOne = (secret: string): Promise<Response> =>
  fetch(`${dashboard.url}/api/v1/qr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"data":"x"}',
  });

/** Copies the secret that a dialog shows, closes the dialog, and returns the secret. */
const copySecret = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.locator('.secret code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return secret;
};

/** Runs in the page: measures the milliseconds from the last keystroke to the next picture. */
const UNTIL_SHOWN = `new Promise((resolve) => {
  let typedMs = 0;
  document.querySelector('.fields input').addEventListener('input', () => { typedMs = performance.now(); });
  const show = () => resolve(Math.round(performance.now() - typedMs));
  document.querySelector('.stage img').addEventListener('load', show, { once: true });
})`;

t.test('a code is designed, previewed for free and made, and scans as its text', async (t) => {
  const { page, faults } = await dashboard.signedIn(key);
  await go(page, 'design');
  const before = await usage();
  const preview = page.getByAltText('Preview of the code');
  await preview.waitFor();
  await page.getByRole('button', { name: 'Harbour' }).click();

  t.test('typing updates the preview, and costs nothing', async (t) => {
    await page.waitForLoadState('networkidle');
    const waitedMs: number[] = [];
    await page.getByLabel('Web address').press('End');
    for (const word of ['a', 'bc', 'def', 'ghij', 'klmno']) {
      const shown = page.evaluate<number>(UNTIL_SHOWN);
      await page.getByLabel('Web address').pressSequentially(word, { delay: 20 });
      waitedMs.push(await shown);
    }
    t.comment(`from the last keystroke to the picture, with a pause of 150 ms: ${waitedMs.join(', ')} ms`);
    t.equal(await usage(), before, 'previews cost nothing');
  });

  t.test('a refusal by the gateway is shown at its field', async (t) => {
    await page.locator('summary', { hasText: 'Size and shape' }).click();
    await page.getByLabel('Width px').fill('20');
    const group = page.getByRole('group', { name: 'Size and shape' });
    const fault = group.locator('.fault').filter({ hasText: '50' });
    await fault.waitFor();
    t.equal(
      await page.getByLabel('Width px').getAttribute('aria-describedby'),
      await fault.getAttribute('id'),
    );
    await shoot(page, 'designer-fault');
    await page.getByLabel('Width px').fill('600');
    await fault.waitFor({ state: 'detached' });
  });

  t.test('low contrast shows a warning', async () => {
    const dots = page
      .getByRole('group', { name: 'Dots', exact: true })
      .getByRole('textbox', { name: 'Colour', exact: true });
    await dots.fill('#dddddd');
    await page.getByRole('button', { name: 'Why' }).click();
    await page.getByText('Darken dots and corners').waitFor();
    await page.getByRole('button', { name: 'Harbour' }).click();
    await page.getByText('Grade 4: Scans well').waitFor();
  });

  t.test('a button repairs whatever can be repaired', async (t) => {
    const margin = page.getByRole('group', { name: 'Size and shape' }).getByLabel('Margin');
    await margin.fill('0');
    const button = page.getByRole('button', { name: 'Repair to grade 4' });
    await button.click();
    await page.getByText('Grade 4: Scans well').waitFor();
    t.equal(await margin.inputValue(), '');
    await button.waitFor({ state: 'detached' });
  });

  t.test('the file scans as the text, and costs one unit', async (t) => {
    await page.getByRole('button', { name: 'Download …' }).click();
    const { name, bytes } = await downloadedFile(page);
    t.equal(name, 'example.com_abcdefghijklmno.png');
    t.equal(await decodePng(bytes), 'https://example.com/abcdefghijklmno');
    await page.getByText(`Downloaded as “${name}”.`).waitFor();
    await page.keyboard.press('Escape');
    t.equal(await usage(), before + 1);
    await shoot(page, 'designer-made');
  });

  t.test('a dynamic code is saved in a folder, and shown as it was saved', async (t) => {
    await page.getByLabel('Dynamic').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Open folder' }).waitFor();
    const shown = async () => (await decodePng(await preview.screenshot())) ?? '';
    await until(async () => /\/l\/(?!Preview0)\w{8}$/.test(await shown()));
    t.equal(await usage(), before + 2);
  });
  t.strictSame(
    faults().filter((error) => !/status of 400/.test(error)),
    [],
  );
});

t.test('keys', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'keys');

  t.test('a key is created, shown once, works, and is refused once it is revoked', async (t) => {
    await page.getByRole('button', { name: 'New key' }).click();
    t.strictSame(await graveFaults(page), []);
    await page.getByLabel('Name who or what uses it').fill('<b>Till</b>');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your new key' });
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await shoot(page, 'keys-made');
    await page.keyboard.press('Escape');
    await dialog.getByText('You have not copied the key').waitFor();
    t.strictSame(await graveFaults(page), []);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), secret, 'the focus is on the copy button');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    t.equal((await makeOne(secret)).status, 200);
    await go(page, 'keys');
    const row = page.getByRole('listitem').filter({ hasText: '<b>Till</b>' });
    await row.waitFor();
    t.equal(await page.getByText(secret).count(), 0);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await inspect(t, page, 'keys-revoke');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.waitFor({ state: 'detached' });
    await page.waitForTimeout(1100);
    t.equal((await makeOne(secret)).status, 401);
  });

  t.test(
    'it is said which key made a key, and those that a key made are revoked with it on request',
    async (t) => {
      const make = (by: string, name: string) => dashboard.api(by, 'POST', '/api/v1/keys', { name });
      const shop = await make(key, 'Shop');
      const till = await make(shop.key, 'Till one');
      await make(till.key, 'Till two');
      await go(page, 'keys');
      const rowOf = (name: string) =>
        page.getByRole('listitem').filter({ has: page.locator('strong', { hasText: name }) });
      await rowOf('Till one').getByText(`made with “Shop” ${shop.prefix}…`).waitFor();
      const ask = () => rowOf('Shop').getByRole('button', { name: 'Revoke' }).click();
      const box = page.getByLabel('Also revoke the 2 keys made with it');
      await ask();
      t.notOk(await box.isChecked());
      await inspect(t, page, 'keys-revoke-made');
      await page.getByRole('button', { name: 'Revoke key' }).click();
      await rowOf('Till one').getByText('made with a key that is revoked').waitFor();
      await rowOf('Till one').getByRole('button', { name: 'Revoke' }).click();
      await page.getByLabel('Also revoke the 1 key made with it').check();
      await page.getByRole('button', { name: 'Revoke keys' }).click();
      await rowOf('Till two').waitFor({ state: 'detached' });
      t.equal(await rowOf('Till one').count(), 0);
    },
  );

  /** The decoded picture of another site's page that contains the tag. */
  const shownBy = async (tag: string): Promise<string | null> => {
    const { page: elsewhere, leave } = await dashboard.visitor();
    await elsewhere.setContent(tag);
    const picture = elsewhere.getByRole('img');
    await elsewhere.waitForLoadState('networkidle');
    t.equal(await picture.evaluate('document.images.length'), 1);
    const text = await decodePng(await picture.screenshot());
    await leave();
    return text;
  };

  t.test('a signed tag shows its picture, and the first signing secret is shown once', async (t) => {
    const content = 'https://example.com/?a="1"&b=<2>';
    await go(page, 'keys/embedding');
    const embed = page.locator('.embed');
    t.ok(await embed.getByLabel('Signed address').isChecked(), 'it is the recommended choice');
    await embed.getByLabel('Content').fill(content);
    await embed.getByRole('button', { name: 'Get HTML' }).click();
    const secret = await copySecret(page);
    await embed.getByRole('button', { name: 'Copy HTML' }).waitFor();
    t.match(secret, /^tss_[0-9a-f]{64}$/);
    const tag = (await page.locator('#embed-tag').textContent()) ?? '';
    t.match(tag, /\/i\/[\w-]{43}\//);
    t.notMatch(tag, /tsr_|tss_/, 'it contains no key or secret');
    await inspect(t, page, 'keys-embed-signed');
    t.equal(await shownBy(tag), content);

    await embed.getByLabel('Size').fill('200');
    await embed.getByLabel('Last day').fill('2999-12-31');
    t.equal(await page.locator('#embed-tag').count(), 0, 'another picture needs another signature');
    await embed.getByRole('button', { name: 'Get HTML' }).click();
    await embed.getByRole('button', { name: 'Copy HTML' }).waitFor();
    t.equal(await page.getByText(secret).count(), 0);
    t.equal(await page.getByRole('dialog').count(), 0, 'the existing secret is used for the signature');
    t.equal(await shownBy((await page.locator('#embed-tag').textContent()) ?? ''), content);
  });

  t.test('a saved code is embedded from its own screen', async (t) => {
    const made = await dashboard.api(key, 'POST', '/api/v1/qr/bulk', { items: [{ data: 'embedded' }] });
    const folder = await dashboard.api(key, 'GET', `/api/v1/folders/${made.meta.folder_id}/codes`);
    await page.goto(`/dashboard/codes/${folder.data[0]!.id}`);
    let letThrough = () => {};
    const isTyped = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/api/v1/signing-secrets', (route) => isTyped.then(() => route.continue()));
    await page.getByRole('button', { name: 'Embed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Embed the code' });
    const size = dialog.getByLabel('Size');
    await size.selectText();
    await size.pressSequentially('240');
    letThrough();
    await dialog.locator('button.primary:enabled').waitFor();
    t.equal(await size.inputValue(), '240', 'input stays when the dialog has finished loading');
    await dialog.getByRole('button', { name: 'Get HTML' }).click();
    await dialog.getByRole('button', { name: 'Copy HTML' }).waitFor();
    t.strictSame(await graveFaults(page), []);
    const tag = (await page.locator('#embed-tag').textContent()) ?? '';
    t.match(tag, /width="240" height="240"/);
    t.equal(await shownBy(tag), 'embedded');
    await go(page, 'keys/embedding');
  });

  t.test('a second secret is created and shown once, and the first is deleted', async (t) => {
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Signing secrets' }) });
    const rows = card.getByRole('listitem');
    await rows.first().waitFor();
    t.equal(await rows.count(), 1);
    const make = card.getByRole('button', { name: 'Create signing secret' });
    await make.click();
    await copySecret(page);
    await rows.nth(1).waitFor();
    t.ok(await make.isDisabled(), 'at most two at a time');
    await shoot(page, 'keys-secrets');
    await rows.nth(1).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the secret' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    t.notOk(await make.isDisabled());
  });

  t.test('a tag with a key shows its picture, with a warning beside it', async (t) => {
    const content = 'https://example.com/?a="1"&b=<2>';
    await go(page, 'keys/embedding');
    const embed = page.locator('.embed');
    await embed.getByLabel('Content').fill(content);
    await embed.getByLabel('Address with a key').check();
    await embed.getByText('can copy the key and draw codes at your cost').waitFor();
    await embed.getByRole('button', { name: 'Create embed key' }).click();
    await embed.getByRole('button', { name: 'Copy HTML' }).waitFor();
    const tag = (await page.locator('#embed-tag').textContent()) ?? '';
    await shoot(page, 'keys-embed');
    t.equal(await shownBy(tag), content);
  });
});
