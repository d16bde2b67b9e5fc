/** Keys of an account in a real browser: limited, replaced, found among many, revoked. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { go, inspect, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);
const SHOWN = '.secret code';

const statusOf = async (key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await fetch(`${dashboard.url}/api/v1/qr`, { method: 'POST', headers, body: '{"data":"x"}' }))
    .status;
};

t.test('a key with a limit, rotated, revoked', async (t) => {
  const own = await dashboard.account();
  const page = await dashboard.open(t, own);
  await go(page, 'keys');
  const dialog = page.getByRole('dialog');
  const takeKey = async (): Promise<string> => {
    await dialog.locator(SHOWN).waitFor();
    const key = (await dialog.locator(SHOWN).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    return key;
  };
  await page.getByText('You are signed in with it').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByLabel('Name').fill('Till');
  await dialog.getByLabel('Requests a second').fill('40');
  await dialog.getByLabel('Units a month').fill('9');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const old = await takeKey();
  t.equal(await statusOf(old), 200);

  await page.getByRole('button', { name: 'Replace Till' }).click();
  await dialog.getByLabel('The old key works on').selectOption({ label: 'For an hour' });
  await inspect(t, page, 'keys-replace');
  await dialog.getByRole('button', { name: 'Make the new key' }).click();
  const next = await takeKey();
  await page.getByText(/^Replaced, works until/).waitFor();
  await inspect(t, page, 'keys-replaced');
  t.strictSame([await statusOf(old), await statusOf(next)], [200, 200]);
  const { data } = await dashboard.api(own, 'GET', '/api/v1/keys');
  const bounds = { name: 'Till', rate_limit_per_second: 40, monthly_quota: 9 };
  t.match(data.slice(0, 2), [
    { ...bounds, replaced_by: null, expires_at: null },
    { ...bounds, replaced_by: data[0]!.id },
  ]);

  await page.getByRole('button', { name: 'Revoke Till' }).last().click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText(/^Replaced, works until/).waitFor({ state: 'detached' });
  await until(async () => (await statusOf(old)) === 401);
  t.equal(await statusOf(next), 200);
});

t.test('what a limit refuses is said with the label of its field', async (t) => {
  const own = await dashboard.account();
  const { key } = await dashboard.api(own, 'POST', '/api/v1/keys', {
    name: 'Slow',
    rate_limit_per_second: 30,
  });
  const page = await dashboard.open(t, key);
  await go(page, 'keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Fast');
  await dialog.getByLabel('Requests a second').fill('31');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('“Requests a second”: must be at most 30').waitFor();
});

t.test('many keys are searched and sorted, and the address remembers it', async (t) => {
  const own = await dashboard.account();
  for (let n = 1; n <= 9; n += 1) await dashboard.api(own, 'POST', '/api/v1/keys', { name: `Shop ${n}` });
  const page = await dashboard.open(t, own, { width: 'phone', colorScheme: 'dark' });
  await go(page, 'keys');
  const names = () => page.locator('.rows strong').allInnerTexts();
  await page.getByLabel('Order').selectOption('name');
  await until(async () => (await names())[0] === 'For the dashboard');
  t.equal((await names()).at(-1), 'Shop 9');
  await page.getByLabel('Find by name or beginning').fill('SHOP 4');
  await until(async () => (await names()).join() === 'Shop 4');
  await inspect(t, page, 'keys-many');
  await page.reload();
  await until(async () => (await names()).join() === 'Shop 4');
});
