/** GS1 in a real browser: numbers in the designer. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { downloadedFile, go, inspect, startDashboard, tabTo } from '../support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

for (const [width, colorScheme] of [
  ['desktop', 'light'],
  ['phone', 'dark'],
] as const)
  t.test(`on a ${width} the fields of an item become a Digital Link by keyboard alone`, async (t) => {
    const page = await dashboard.open(t, key, { width, colorScheme });
    await go(page, 'design');
    await tabTo(page, page.getByRole('radio', { name: 'Link' }));
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, page.getByLabel('GTIN'));
    await page.keyboard.type('9521321000019');
    const fault = page.getByText('the check digit must be 8, not 9');
    await page.getByText('Fix the marked fields.').waitFor();
    t.equal(await fault.count(), 0, 'an unfinished number is not an error');
    await page.keyboard.press('Tab');
    await fault.waitFor();
    await page.keyboard.press('Shift+Tab');
    await fault.waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('8');
    const text = page.locator('.kind-text');
    await text.getByText(`${dashboard.url}/01/09521321000018`, { exact: true }).waitFor();
    await tabTo(page, page.getByLabel('Serial number'));
    await page.keyboard.type('A/7');
    await page.getByLabel('Expiry').fill('2027-01-31');
    await tabTo(page, page.getByLabel('Your domain'));
    await page.keyboard.type('brand.example/');
    await tabTo(page, page.getByLabel('Other AIs'));
    await page.keyboard.type('(3103)00125');
    await page.keyboard.press('Tab');
    await page.getByText('has 5 characters, but NET WEIGHT (kg) needs 6').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('End');
    await page.keyboard.type('0');
    const uri = 'https://brand.example/01/09521321000018/21/A%2F7?17=270131&3103=001250';
    await text.getByText(uri, { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Preview' })
      .getByText(/Grade 4/)
      .waitFor();
    await inspect(t, page, `gs1-designer-${width}`);
    if (width === 'phone') return;
    await page.getByText('Harbour').click();
    const button = page.getByRole('button', { name: 'Download …' });
    await until(async () => button.isEnabled());
    await button.click();
    t.equal(await decodePng((await downloadedFile(page)).bytes), uri);
  });

t.test('an element string is saved as GS1 data, and a copy starts with the same fields', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'design');
  await page.getByText('GS1', { exact: true }).click();
  await page.getByLabel('The code contains').selectOption('element-string');
  await page.getByLabel('GTIN').fill('09521321000018');
  await page.getByLabel('Batch or lot').fill('(7)');
  await page.getByLabel('Expiry').fill('2027-01-31');
  await page.getByLabel('Other AIs').fill('(15)270100');
  await page.locator('.kind-text').getByText('(01)09521321000018(10)\\(7)(17)270131(15)270100').waitFor();
  await until(async () => page.getByRole('button', { name: 'Save', exact: true }).isEnabled());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Open code' }).waitFor();
  const { data } = await dashboard.api(key, 'GET', '/api/v1/codes?limit=1');
  t.match(data, [{ content: '(01)09521321000018(10)\\(7)(17)270131(15)270100' }]);
  await page.goto(`/dashboard/design?from=${data[0]!.id}`);
  await page.getByLabel('Batch or lot').waitFor();
  await until(async () => (await page.getByLabel('Batch or lot').inputValue()) === '(7)');
  t.equal(await page.getByLabel('Expiry').inputValue(), '2027-01-31');
  t.equal(await page.getByLabel('Other AIs').inputValue(), '(15)270100');
  t.equal(await page.getByLabel('The code contains').inputValue(), 'element-string');
  await page.getByText('Text', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Content' }).fill('no GS1 data');
  await page
    .getByRole('region', { name: 'Preview' })
    .getByText(/Grade 4/)
    .waitFor();
});
