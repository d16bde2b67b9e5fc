/** A folder: what begins in it stays in it, and what is done with it; the screens of its codes; and lists of nothing. */
import t from 'tap';
import { go, inspect, startDashboard, toFolders } from '../support.ts';

const dashboard = await startDashboard(t);
const { api } = dashboard;

t.test('what an empty folder offers is saved in that folder', async (t) => {
  const key = await dashboard.account();
  const { id } = await api(key, 'POST', '/api/v1/folders', { name: 'Harbour & quay' });
  const page = await dashboard.open(t, key);
  await go(page, `folders/${id}`);
  await page.getByText('This folder is empty.').waitFor();
  t.equal(await page.getByLabel('Search in this folder').count(), 0, 'there is nothing to search');
  await inspect(t, page, 'folder-empty');
  await page.getByRole('link', { name: 'Design a code' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  t.equal(await page.getByLabel('Folder').inputValue(), 'Harbour & quay');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved in “Harbour & quay”').waitFor();
  t.equal((await api(key, 'GET', `/api/v1/folders/${id}`)).code_count, 1);

  const other = await api(key, 'POST', '/api/v1/folders', { name: 'Pier' });
  await go(page, `folders/${other.id}`);
  await page.getByRole('link', { name: 'New batch' }).click();
  await page.getByText('The codes are saved in “Pier”.').waitFor();
  const buffer = Buffer.from('data\nBerth 1\n');
  await page.locator('#table-file').setInputFiles({ name: 'quay.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Make 1 code' }).waitFor();
  t.equal(await page.getByLabel('Folder').inputValue(), 'Pier');
  await api(key, 'POST', '/api/v1/folders', { name: 'Wharf' });
  await toFolders(page);
  await page.getByRole('link', { name: 'Wharf' }).click();
  await page.getByRole('link', { name: 'New batch' }).click();
  await page.getByText('stays as you left it').waitFor();
  await page.getByRole('button', { name: 'Back to it' }).click();
  t.equal(await page.getByLabel('Folder').inputValue(), 'Pier', 'a table of another folder is not lost');
});

t.test('a folder is kept and deleted on its own screen, and comes back', async (t) => {
  const key = await dashboard.account();
  const items = [{ data: 'https://example.com/menu', dynamic: true }];
  const { meta } = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Menus', items });
  const page = await dashboard.open(t, key, { width: 'phone' });
  const choose = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Menus' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await go(page, `folders/${meta.folder_id}`);
  await choose('Keep for ever');
  await page.getByText('kept for ever').waitFor();
  t.match(await api(key, 'GET', `/api/v1/folders/${meta.folder_id}`), { keep: true });
  await inspect(t, page, 'folder-kept');
  await choose('Let old codes expire');
  await page.getByText('kept for ever').waitFor({ state: 'detached' });
  await choose('Delete');
  const question = page.getByRole('dialog');
  await question.getByText('1 short link').waitFor();
  await inspect(t, page, 'folder-delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Folders', level: 1 }).waitFor();
  await page.getByText('No folders yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Menus', exact: true }).waitFor();
});

t.test(
  'on a phone, a dynamic code shows its picture before its scans; the way back has a name',
  async (t) => {
    const key = await dashboard.account();
    const body = { data: 'https://example.com/menu', dynamic: true, name: 'Table 7', folder_name: 'Terrace' };
    const { id } = await api(key, 'POST', '/api/v1/codes', body);
    const page = await dashboard.open(t, key, { width: 'phone' });
    await go(page, `codes/${id}`);
    const topOf = async (of: ReturnType<typeof page.locator>) => (await of.boundingBox())!.y;
    const picture = await topOf(page.getByRole('img', { name: /^QR code of/ }));
    t.ok(picture < (await topOf(page.getByRole('heading', { name: 'Scans' }))));
    await inspect(t, page, 'code-phone');
    await page.getByRole('link', { name: 'Edit design' }).first().click();
    await page.getByRole('link', { name: 'Table 7' }).click();
    await page.getByRole('link', { name: 'Terrace' }).click();
    await page.getByRole('heading', { name: 'Terrace', level: 1 }).waitFor();
  },
);

t.test(
  'lists of nothing have nothing to search and filter, but those that a search emptied have',
  async (t) => {
    const page = await dashboard.open(t, await dashboard.account());
    for (const [path, text] of [
      ['codes', 'No codes yet.'],
      ['folders', 'No folders yet.'],
      ['links', 'No short links yet.'],
      ['links/resolver', 'No items yet.'],
    ] as const) {
      await go(page, path);
      await page.getByText(text).waitFor();
      t.equal(await page.locator('.toolbar').count(), 0, path);
      await inspect(t, page);
    }
    await go(page, 'codes?search=harbour');
    await page.getByText('No code has all of that.').waitFor();
    await page.getByLabel('Search codes').fill('');
    await page.getByText('No codes yet.').waitFor();
    await page.locator('.toolbar').first().waitFor({ state: 'detached' });
  },
);
