/** The keyboard alone: the palette, the shortcuts, and what none of them may do. */
import t from 'tap';
import { go, graveFaultsNow, hasFocus, inspect, startDashboard } from './support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();
await dashboard.api(key, 'POST', '/api/v1/qr/bulk', {
  folderName: 'Harbour festival',
  items: [{ data: 'https://example.com/harbour/programme' }],
});

const { data: codes } = await dashboard.api(key, 'GET', '/api/v1/codes');

t.test(
  'the palette opens by its key, finds screens, folders and codes, and gives the focus back',
  async (t) => {
    const page = await dashboard.open(t, key);
    const input = page.getByRole('combobox', { name: 'Search, or say what to do' });
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    await page.keyboard.press('Control+k');
    await input.waitFor();
    t.ok(await hasFocus(page, input));
    await inspect(t, page, 'palette');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await input.pressSequentially('webhooks');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    t.match(await input.getAttribute('aria-activedescendant'), (await chosen.getAttribute('id')) ?? '-');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();

    await page.keyboard.press('Control+k');
    await input.pressSequentially('harbour');
    const group = page.getByRole('group', { name: 'Folders' });
    await group.getByRole('option', { name: 'Harbour festival' }).waitFor();
    await page.getByRole('group', { name: 'Codes' }).getByRole('option').waitFor();
    await inspect(t, page, 'palette-found');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Harbour festival', level: 1 }).waitFor();

    await page.keyboard.press('Control+k');
    await input.pressSequentially('programme');
    await page.getByRole('option', { name: 'https://example.com/harbour/programme' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/codes/${codes[0]!.id}`);

    await page.keyboard.press('Control+k');
    await input.pressSequentially('zzzz');
    await page.getByText('Nothing fits.').waitFor();
    await page.keyboard.press('Control+k');
    await input.waitFor({ state: 'detached' });
  },
);

t.test('the palette begins what a screen does: a key is created without the mouse', async (t) => {
  const page = await dashboard.open(t, key);
  const input = page.getByRole('combobox', { name: 'Search, or say what to do' });
  await page.keyboard.press('Control+k');
  await input.pressSequentially('create a key');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').pressSequentially('From the keyboard');
  await page.keyboard.press('Enter');
  await dialog.locator('.secret code').waitFor();
  const { data } = await dashboard.api(key, 'GET', '/api/v1/keys');
  t.ok(data.some(({ name }: { name: string }) => name === 'From the keyboard'));
  t.match(page.url(), /\/keys$/, 'a reload does not ask again');
});

t.test('the palette does what the head of the screen offers', async (t) => {
  const page = await dashboard.open(t, key);
  const folder = await dashboard.api(key, 'POST', '/api/v1/folders', { name: 'Before' });
  await go(page, `folders/${folder.id}`);
  await page.getByRole('heading', { name: 'Before', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search, or say what to do' }).pressSequentially('rename');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rename the folder' });
  await dialog.getByLabel('Name').fill('After');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor();
  t.equal((await dashboard.api(key, 'GET', `/api/v1/folders/${folder.id}`)).name, 'After');
});

t.test(
  'single keys search, list the shortcuts and go to screens, but not while somebody types',
  async (t) => {
    const page = await dashboard.open(t, key);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    await inspect(t, page, 'shortcuts');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    t.match(page.url(), /\/dashboard$/, 'nothing fires in a dialog');

    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('heading', { name: 'Folders', level: 1 }).waitFor();
    const search = page.getByLabel('Search folders');
    await page.keyboard.press('/');
    t.ok(await hasFocus(page, search));
    await page.keyboard.type('g h ? /');
    t.equal(await search.inputValue(), 'g h ? /');
    t.equal(await page.getByRole('dialog').count(), 0);
    t.match(page.url(), /\/folders/);

    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    await help.getByLabel('Shortcuts of single keys').press('Space');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search, or say what to do' }).waitFor();
    t.equal(await help.count(), 0, 'somebody has turned them off');
    t.match(page.url(), /\/folders/);
  },
);

t.test('on a phone, a button opens the palette', async (t) => {
  const page = await dashboard.open(t, key, { width: 'phone' });
  await page.getByRole('button', { name: 'Search and commands' }).click();
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/folders?*', (route) => answered.then(() => route.continue()));
  await page.getByRole('combobox', { name: 'Search, or say what to do' }).fill('counters');
  await page.locator('.palette-lines[aria-busy=true]').waitFor();
  t.strictSame(await graveFaultsNow(page), [], 'commands can be read while codes are searched');
  answer();
  await inspect(t, page, 'palette-phone');
  await page.getByRole('option', { name: 'Counters' }).click();
  await page.getByRole('heading', { name: 'Counters', level: 1 }).waitFor();
});
