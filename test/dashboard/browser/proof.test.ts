/** Verifying the codes of a folder, and downloading the receipt. */
import t from 'tap';
import { downloaded, graveFaults, startDashboard } from './support.ts';

t.test('a folder is verified on its screen, and its receipt is downloaded', async (t) => {
  const dashboard = await startDashboard(t);
  const key = await dashboard.account();
  const items = [{ data: 'https://example.com/1' }, { data: 'https://example.com/2', dynamic: true }];
  const made = await dashboard.api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Cups', items });
  const page = await dashboard.open(t, key);
  await page.goto(`/dashboard/folders/${made.meta.folder_id}`);

  await page.getByRole('button', { name: 'Verify all codes' }).click();
  await page.getByText('All 2 codes read.').waitFor({ timeout: 60_000 });
  t.strictSame(await graveFaults(page), []);

  const save = async (name: string): Promise<string> =>
    String((await downloaded(page, () => page.getByRole('link', { name }).click())).bytes);
  const receipt = JSON.parse(await save('Receipt (JSON)'));
  t.strictSame([receipt.statement.summary.codes, receipt.statement.summary.passed], [2, 2]);
  t.equal(receipt.jws.split('.').length, 3);
  t.match(await save('Receipt (HTML)'), /Cups/);

  await page.reload();
  await page.getByText('All 2 codes read.').waitFor();

  await page.goto('/dashboard/codes');
  await page.getByLabel('Select example.com/2').check();
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Verify 1 code' });
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByText('The code was read.').waitFor({ timeout: 60_000 });
  t.strictSame(await graveFaults(page), []);
  t.equal(JSON.parse(await save('Receipt (JSON)')).statement.folder, null);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await dialog.getByText('Earlier receipts').click();
  await dialog.getByText('The code was read.').waitFor();
});
