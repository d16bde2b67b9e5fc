/** An account in a real browser: signing in, folders, codes, destinations, scans. */
import t from 'tap';
import { until } from '../../servers/until.ts';
import { PHONE_BROWSER } from '../../support/browser/phone-browser.ts';
import { decodePng } from '../../support/pictures/decode.ts';
import {
  ADMIN_TOKEN,
  downloaded,
  downloadedFile,
  hasFocus,
  inspect,
  isTooWide,
  shoot,
  signInOperator,
  startDashboard,
  tabTo,
  toFolders,
} from './support.ts';

const MARKUP = '<img src=x onerror=alert(1)>';
const SCRIPT = '<script>alert(2)</script><svg onload=alert(3)>';

t.test('in a browser', async (t) => {
  const dashboard = await startDashboard(t);
  const { url, api } = dashboard;

  t.test('a wrong key is refused with a message; a valid one signs in and is not stored', async (t) => {
    const key = await dashboard.account();
    const visitor = await dashboard.visitor();
    const { page } = visitor;
    await page.goto('/dashboard/keys');
    const alert = page.getByRole('alert');
    await page.getByLabel('API key').fill(`tsr_${'0'.repeat(38)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await alert.filter({ hasText: /\S/ }).waitFor();
    await shoot(page, 'sign-in-refused');

    const embed = await dashboard.account(['render']);
    await page.getByLabel('API key').fill(embed);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await alert.filter({ hasText: 'manage' }).waitFor();

    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    t.notMatch(await page.content(), key.slice(12), 'not in the page');
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    t.notMatch(kept, key.slice(12), 'not readable by scripts');
    const [cookie] = await page.context().cookies();
    t.match(cookie, { httpOnly: true, sameSite: 'Strict' });

    await page.reload();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    t.strictSame(visitor.faults(), []);
    await visitor.leave();
  });

  t.test('the operator creates an account and a key, raises its quota and revokes the key', async (t) => {
    const visitor = await dashboard.visitor();
    const { page } = visitor;
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Sign in as the operator' }).click();
    await page.getByLabel('Admin token').fill('not-the-admin-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not the admin token').waitFor();
    await shoot(page, 'operator-sign-in');
    await signInOperator(page);
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])',
    );
    t.notMatch(kept, ADMIN_TOKEN, 'the token is stored nowhere');

    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Print <b>shop</b>');
    await dialog.getByLabel('Units a month').fill('1');
    await shoot(page, 'operator-new-account');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Print <b>shop</b>', level: 1 }).waitFor();
    await page.getByText('0 of 1 units').waitFor();

    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('Till');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.secret code').textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: /^Done/ }).click();
    const make = async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await fetch(`${url}/api/v1/qr`, { method: 'POST', headers, body: '{"data":"x"}' })).status;
    };
    t.strictSame([await make(), await make()], [200, 429]);
    await page.getByLabel('Units a month').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('of 5 units').waitFor();
    await page.getByLabel('Credits to add').fill('7');
    await page.getByRole('button', { name: 'Add credits' }).click();
    await page.getByText('The account has 7 credits now.').waitFor();
    await until(async () => (await make()) === 200);

    await page.getByRole('button', { name: 'Edit Till' }).click();
    await dialog.getByLabel('Units a month').fill('3');
    await dialog.getByLabel('Requests a second').fill('1000');
    await dialog.getByLabel('Last day').fill('2099-07-01');
    await shoot(page, 'operator-edit-key');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('of 3 units this month').waitFor();
    await page.getByText('1,000 requests a second').waitFor();
    await page.getByText(/^Expires Jul 1, 2099/).waitFor();
    await until(async () => (await make()) === 429);

    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('Trying');
    await dialog.getByLabel('Sandbox').check();
    t.ok(await dialog.getByLabel(/^Manage/).isDisabled());
    t.equal(await dialog.getByLabel('Units a month').count(), 0, 'a sandbox key uses no units');
    await dialog.getByLabel('Load tests').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    t.match(await page.locator('.secret code').textContent(), /^tsr_test_\w{38}$/);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: /^Done/ }).click();
    await page.locator('.chip', { hasText: 'Load tests' }).waitFor();
    await page.getByRole('button', { name: 'Revoke Trying' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Edit Trying' }).waitFor({ state: 'detached' });

    await page.goto('/dashboard/operator');
    await page.getByLabel('Search by name or id').fill('PRINT');
    await page.getByRole('link', { name: 'Print <b>shop</b>' }).click();
    await page.getByRole('button', { name: 'Revoke Till' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No keys yet.').waitFor();
    await until(async () => (await make()) === 401);

    const account = await dashboard.signedIn(await dashboard.account());
    await account.page.goto('/dashboard/operator');
    await account.page.getByLabel('Admin token').waitFor();
    t.equal(await account.page.getByText('Print').count(), 0, "an account's session shows none of it");
    await account.leave();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    t.strictSame(visitor.faults(), []);
    await visitor.leave();
  });

  for (const size of ['phone', 'desktop'] as const) {
    t.test(`folders on a ${size}: created, renamed, searched, deleted, restored`, async (t) => {
      const page = await dashboard.open(t, await dashboard.account(), { width: size });
      await toFolders(page);
      await page.getByText('No folders yet').waitFor();
      await shoot(page, `folders-empty-${size}`);
      for (const name of [MARKUP, 'Spring menu']) {
        await page.getByRole('button', { name: 'New folder' }).click();
        await page.getByRole('dialog').getByLabel('Name').fill(name);
        await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
        await page.getByRole('link', { name, exact: true }).waitFor();
      }
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Spring menu');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('dialog').getByRole('alert').filter({ hasText: /name/i }).waitFor();
      await page.keyboard.press('Escape');

      const choose = async (folder: string, action: string) => {
        await page.getByRole('button', { name: `Actions for ${folder}` }).click();
        await page.getByRole('menuitem', { name: action }).click();
      };
      await choose('Spring menu', 'Rename');
      await page.getByRole('dialog').getByLabel('Name').fill('Autumn menu');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('link', { name: 'Autumn menu', exact: true }).waitFor();

      await choose('Autumn menu', 'Keep for ever');
      await page.getByText('kept for ever').waitFor();
      await shoot(page, `folders-kept-${size}`);
      await page.getByLabel('Search folders').fill('AUTUMN');
      await page.getByRole('link', { name: MARKUP, exact: true }).waitFor({ state: 'detached' });
      await page.getByLabel('Search folders').fill('');
      await page.getByRole('link', { name: MARKUP, exact: true }).waitFor();

      await choose('Autumn menu', 'Delete');
      await page.getByRole('link', { name: 'Autumn menu', exact: true }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'Autumn menu', exact: true }).waitFor();

      await choose('Autumn menu', 'Delete');
      await page.getByRole('link', { name: 'Autumn menu', exact: true }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Bin', exact: true }).click();
      await shoot(page, `bin-${size}`);
      await page.getByRole('button', { name: 'Restore Autumn menu' }).click();
      await page.getByText('The bin is empty').waitFor();
      await page.getByRole('link', { name: 'Folders' }).click();
      await page.getByRole('link', { name: 'Autumn menu', exact: true }).waitFor();
    });
  }

  t.test('markup in names and contents is shown as text on every screen', async (t) => {
    const key = await dashboard.account();
    const items = [{ data: SCRIPT }, { data: `https://example.com/?q=${MARKUP}`, dynamic: true }];
    const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: MARKUP, items });
    const folder = `/dashboard/folders/${made.meta.folder_id}`;
    const codes = await api(key, 'GET', `/api/v1/folders/${made.meta.folder_id}/codes`);
    await api(key, 'POST', '/api/v1/keys', { name: MARKUP });
    const page = await dashboard.open(t, key);
    const ids = codes.data.map((code: { id: string }) => code.id);
    const screens = ['/dashboard', '/dashboard/folders', folder, '/dashboard/keys'];
    for (const path of [...screens, ...ids.map((id: string) => `/dashboard/codes/${id}`)]) {
      await page.goto(path);
      await page
        .getByText(/onerror=alert|<script>/)
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page.getByRole('button', { name: 'Delete' }).first().click();
    const question = page.getByRole('dialog');
    await question.getByText('1 short link').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.goto('/dashboard/bin');
    await page
      .getByText(/onerror=alert|<script>/)
      .first()
      .waitFor();
    await shoot(page, 'markup-stays-text');
    t.equal(await page.locator('img[src="x"]').count(), 0);
  });

  t.test('a folder of 100 codes shows all thumbnails, and codes contain what is stored', async (t) => {
    const key = await dashboard.account();
    const items = Array.from({ length: 100 }, (_, index) => ({ data: `Table ${index}` }));
    const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Tables', items });
    const page = await dashboard.open(t, key);
    await page.goto(`/dashboard/folders/${made.meta.folder_id}?view=tiles`);
    await page.getByRole('link', { name: 'Table 0', exact: true }).waitFor();
    const shown =
      "[...document.querySelectorAll('.tiles img')].flatMap((image) => image.naturalWidth > 0 ? image.src : [])";
    const seen = new Set<string>();
    await until(async () => {
      for (const src of await page.evaluate<string[]>(shown)) seen.add(src);
      // A picture that is scrolled away before its turn is not asked for.
      const isWhole =
        "[...document.querySelectorAll('.tile')].every((tile) => tile.getBoundingClientRect().bottom < 0 || tile.getBoundingClientRect().top > innerHeight || tile.querySelector('img')?.naturalWidth > 0)";
      if (await page.evaluate<boolean>(isWhole)) await page.evaluate('scrollBy(0, innerHeight / 2)');
      return seen.size === 100;
    });
    await page.getByLabel('Search in this folder').fill('table 42');
    await page.getByRole('link', { name: 'Table 41', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Table 42', exact: true }).click();
    await page.getByRole('heading', { name: 'Code', level: 1 }).waitFor();
    const png = await downloaded(page, () => page.getByRole('link', { name: 'PNG', exact: true }).click());
    t.equal(await decodePng(png.bytes), 'Table 42');
    await page.goBack();
    await page.getByRole('button', { name: 'Download ZIP' }).click();
    t.equal((await downloadedFile(page)).name, 'Tables.zip');
  });

  for (const size of ['phone', 'desktop'] as const) {
    t.test(`codes on a ${size} are named, ordered, moved, downloaded, deleted, restored`, async (t) => {
      const key = await dashboard.account();
      const contents = ['https://example.com/menu', 'Table 10', 'Table 2', 'Table 3'];
      const items = contents.map((data) => ({ data, dynamic: data.startsWith('https:') }));
      const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Spring', items });
      await api(key, 'POST', '/api/v1/folders', { name: 'Archive' });
      const { slug } = made.results[0]!;
      await fetch(`${url}/l/${slug}`, { redirect: 'manual', headers: { 'user-agent': PHONE_BROWSER } });
      await api(key, 'PATCH', `/api/v1/links/${slug}`, { destination: 'https://example.org/autumn' });
      const page = await dashboard.open(t, key, { width: size });
      const listed = async () => page.locator('.tile .content, .code-name a').allInnerTexts();
      await page.getByRole('link', { name: 'Codes', exact: true }).click();
      await page.getByRole('link', { name: 'example.org/autumn' }).waitFor();

      const dots = page.getByRole('button', { name: 'Actions for Table 3' });
      await dots.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
      await inspect(t, page, `codes-menu-${size}`);
      await page.keyboard.press('End');
      await page.keyboard.press('Escape');
      t.equal(
        await page.evaluate("document.activeElement.getAttribute('aria-label')"),
        'Actions for Table 3',
        'the focus returns',
      );
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByLabel('Name').fill('Window seat');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Window seat' }).waitFor();

      await page.getByLabel('Sort by').selectOption('name');
      await until(async () => (await listed())[0] === 'Window seat');
      await page.getByLabel('Sort by').selectOption('scans');
      await until(async () => (await listed())[0] === 'example.org/autumn');
      await page.getByRole('button', { name: 'Tiles' }).click();
      await page.locator('.tiles').waitFor();
      t.equal((await listed())[0], 'example.org/autumn');
      await page.getByLabel('Search codes').fill('autumn');
      await until(async () => (await listed()).length === 1);
      await page.getByLabel('Search codes').fill('');
      await until(async () => (await listed()).length === 4);

      await page.getByLabel('Select Window seat').click();
      await page.getByLabel('Select Table 10').click({ modifiers: ['Shift'] });
      const bar = page.getByRole('region', { name: 'Selected codes' });
      await bar.getByText('3 selected').waitFor();
      await inspect(t, page, `codes-chosen-${size}`);
      await bar.getByRole('button', { name: 'Download' }).click();
      t.equal((await downloadedFile(page)).name, 'codes.zip');
      await page.keyboard.press('Escape');
      t.equal(await bar.getByRole('button', { name: 'Edit links' }).count(), 0, 'none of them has a link');
      await bar.getByRole('button', { name: 'Move' }).click();
      await page.getByRole('dialog').getByLabel('Archive').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('3 codes moved to “Archive”').waitFor();

      await page.getByLabel(/^Select all/).check();
      await bar.getByText('4 selected').waitFor();
      await bar.getByRole('button', { name: 'Edit links' }).focus();
      await page.keyboard.press('Enter');
      const many = page.getByRole('dialog', { name: 'Change 1 short link' });
      await tabTo(page, many.getByLabel('New destination'));
      await page.keyboard.type('https://example.org/winter');
      await inspect(t, page, `codes-edit-links-${size}`);
      await page.keyboard.press('Enter');
      await page.getByText('Saved. 1 link changed.').waitFor();
      await until(async () => (await listed()).some((text) => text.includes('example.org/winter')));

      await page.getByLabel(/^Select all/).check();
      await bar.getByText('4 selected').waitFor();
      await bar.getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('dialog');
      await question.getByText('1 short link').waitFor();
      await question.getByText('1 scan by people').waitFor();
      await shoot(page, `codes-question-${size}`);
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No codes yet').waitFor();
      const binned = page.getByRole('paragraph').filter({ hasText: 'moved to the bin' });
      await binned.getByRole('button', { name: 'Undo' }).click();
      await until(async () => (await listed()).length === 4);

      await page.reload();
      await page.getByRole('link', { name: 'Window seat' }).click();
      await page.getByRole('heading', { name: 'Window seat', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Rename' }).click();
      await shoot(page, `code-name-${size}`);
      await page.getByLabel('Name', { exact: true }).fill('Bar');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Bar', level: 1 }).waitFor();
      const png = await downloaded(page, () => page.getByRole('link', { name: 'PNG', exact: true }).click());
      t.equal(png.name, 'Bar.png');
    });
  }

  for (const size of ['phone', 'desktop'] as const) {
    t.test(`on a ${size} a destination is edited, followed, seen in the scans and rolled back`, async (t) => {
      const key = await dashboard.account();
      const items = [{ data: 'https://example.com/spring', dynamic: true }];
      const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Menu', items });
      const { slug } = made.results[0]!;
      const follow = async () => {
        const headers = { 'user-agent': PHONE_BROWSER };
        return (await fetch(`${url}/l/${slug}`, { redirect: 'manual', headers })).headers.get('location');
      };
      const page = await dashboard.open(t, key, { width: size });
      await page.getByRole('link', { name: 'Menu', exact: true }).click();
      await page.getByRole('link', { name: 'example.com/spring' }).click();
      await page.getByText('No scans in this period').waitFor();

      const field = page.getByLabel('Destination', { exact: true });
      await field.fill('javascript:alert(4)');
      await page.getByRole('alert').filter({ hasText: 'http' }).waitFor();
      t.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
      await field.fill(`${url}/l/${slug}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'short links' }).waitFor();
      await field.fill('https://example.com/autumn');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      t.equal(await follow(), 'https://example.com/autumn');

      await page.waitForTimeout(1500);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('heading', { name: 'Devices' }).waitFor();
      await page.getByText('iOS', { exact: true }).waitFor();
      await page.locator('.uplot canvas').waitFor();
      await page.getByText('GEOIP_FILE').waitFor();
      t.equal(await page.getByText('unknown').count(), 0, 'unknown countries are left out');
      await shoot(page, `scanned-${size}`);

      await page.getByRole('button', { name: 'Download as CSV' }).click();
      const csv = await downloaded(page, () =>
        page.getByRole('menuitem', { name: 'Operating systems' }).click(),
      );
      t.match(String(csv.bytes), /^from,to,os,people,bots,previews\r\n/);
      t.match(String(csv.bytes), ',iOS,1,0,0');

      await page.getByText('History', { exact: true }).click();
      await page.getByRole('button', { name: 'Use it again' }).last().click();
      await until(async () => (await field.inputValue()) === 'https://example.com/spring');
      t.equal(await follow(), 'https://example.com/spring');

      // The dialogs of the link are operated by keyboard alone.
      const address = page.getByRole('button', { name: 'Change the short address' });
      await address.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      const own = dialog.getByLabel('Last part of the address');
      const write = async (text: string): Promise<void> => {
        await tabTo(page, own);
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.type(text);
      };
      await write('admin');
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').filter({ hasText: 'reserved' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      t.ok(await hasFocus(page, address), 'the focus is back on the button that opened the dialog');
      await page.keyboard.press('Enter');
      await write(`menu-on-a-${size}`);
      await dialog.getByText(`/l/menu-on-a-${size}`).waitFor();
      await inspect(t, page, `own-slug-${size}`);
      await tabTo(page, dialog.getByRole('button', { name: 'Change' }));
      await page.keyboard.press('Space');
      await page.getByText('The code has a new picture').waitFor();
      await page.getByText(`/l/menu-on-a-${size}`).first().waitFor();
      const read = async () => decodePng(await page.locator('.code-picture img').screenshot());
      await until(async () => (await read())?.endsWith(`/l/menu-on-a-${size}`) === true);

      const times = page.getByRole('button', { name: 'Change start and end' });
      await times.focus();
      await page.keyboard.press('Enter');
      await dialog.getByLabel('End', { exact: true }).fill('2020-01-31T18:00');
      await tabTo(page, dialog.getByLabel('Address after the end'));
      await page.keyboard.type('https://example.com/over');
      await inspect(t, page, `times-${size}`);
      await page.keyboard.press('Enter');
      await page.getByText('Ended', { exact: true }).waitFor();
      t.ok(await hasFocus(page, times));
      t.equal(await follow(), 'https://example.com/over', 'the first slug leads there too');
      await page.getByRole('button', { name: 'Use it again' }).first().click();
      await page.getByText('The earlier settings are back').waitFor();
      await page.getByText('Always works').waitFor();
      t.equal(await follow(), 'https://example.com/spring');
      await shoot(page, `short-link-${size}`);
      t.notOk(await isTooWide(page));
    });
  }
});
