/** A session that ends, a version that somebody else has replaced, and a line that is down: nothing typed is lost. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { go, inspect, startDashboard, toFolders } from '../support.ts';

/** Signs in over the screen whose session has ended. */
const signInOver = async (page: Page, key: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('API key').fill(key);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
};

t.test('what interrupts people', async (t) => {
  const dashboard = await startDashboard(t);
  const { api } = dashboard;

  /** A dialog in which a person renames a folder while the session ends. */
  const interrupted = async (key: string) => {
    const folder = await api(key, 'POST', '/api/v1/folders', { name: 'Spring' });
    const { page, leave } = await dashboard.signedIn(key);
    await go(page, 'folders');
    await page.getByRole('button', { name: 'Actions for Spring' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename the folder' });
    await rename.getByLabel('Name').fill('Autumn');
    await page.context().clearCookies();
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    return { page, leave, rename, folder };
  };

  t.test('a session that ends in mid-edit: what was sent is sent again after the sign-in', async (t) => {
    const key = await dashboard.account();
    const { page, leave, rename, folder } = await interrupted(key);
    await inspect(t, page, 'session-ended');
    t.equal(await rename.getByLabel('Name').inputValue(), 'Autumn', 'what was typed is still there');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await signInOver(page, 'tsr_wrong');
    await page.getByText('This is not a key.').or(page.getByText('There is no such key.')).waitFor();
    await signInOver(page, key);
    await page.getByRole('link', { name: 'Autumn', exact: true }).waitFor();
    t.equal(await page.getByRole('dialog').count(), 0);
    t.equal((await api(key, 'GET', `/api/v1/folders/${folder.id}`)).name, 'Autumn');
    await leave();
  });

  t.test('signing in as another account: nothing is sent, and nothing typed or read is shown', async (t) => {
    const key = await dashboard.account();
    const { page, leave, folder } = await interrupted(key);
    await signInOver(page, await dashboard.account());
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    t.equal((await api(key, 'GET', `/api/v1/folders/${folder.id}`)).name, 'Spring');
    t.notMatch(await page.evaluate('JSON.stringify(sessionStorage)'), /Autumn/);
    await toFolders(page);
    await page.getByText('No folders yet.').waitFor();
    await leave();
  });

  t.test('signing out of a session that has ended forgets what was typed', async (t) => {
    const { page, leave } = await interrupted(await dashboard.account());
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Tessera', level: 1 }).waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0);
    await leave();
  });

  t.test('a change over that of somebody else compares both, and saves the one that is chosen', async (t) => {
    const key = await dashboard.account();
    const { page, leave } = await dashboard.signedIn(key);
    for (const [choice, kept] of [
      ['Keep mine', 'Autumn'],
      ['Take theirs', 'Summer'],
    ] as const) {
      const folder = await api(key, 'POST', '/api/v1/folders', { name: `Spring ${kept}` });
      await go(page, 'folders');
      await page.getByRole('button', { name: `Actions for ${folder.name}` }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await api(key, 'PATCH', `/api/v1/folders/${folder.id}`, { name: 'Summer' });
      const rename = page.getByRole('dialog', { name: 'Rename the folder' });
      await rename.getByLabel('Name').fill('Autumn');
      await rename.getByRole('button', { name: 'Rename' }).click();
      const both = page.getByRole('dialog', { name: 'It was changed meanwhile' });
      await both.getByRole('row', { name: 'Name Autumn Summer' }).waitFor();
      await inspect(t, page, 'changed-meanwhile');
      await both.getByRole('button', { name: choice }).click();
      await page.getByRole('link', { name: kept, exact: true }).waitFor();
      t.equal(await page.getByRole('dialog').count(), 0);
      t.equal((await api(key, 'GET', `/api/v1/folders/${folder.id}`)).name, kept);
      await api(key, 'DELETE', `/api/v1/folders/${folder.id}`);
    }
    await leave();
  });

  t.test('a change of another field by somebody else is no conflict', async (t) => {
    const key = await dashboard.account();
    const folder = await api(key, 'POST', '/api/v1/folders', { name: 'Spring' });
    const { page, leave } = await dashboard.signedIn(key);
    await go(page, 'folders');
    await page.getByRole('button', { name: 'Actions for Spring' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await api(key, 'PATCH', `/api/v1/folders/${folder.id}`, { name: 'Autumn', keep: true });
    const rename = page.getByRole('dialog', { name: 'Rename the folder' });
    await rename.getByLabel('Name').fill('Autumn');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Autumn', exact: true }).waitFor();
    t.match(await api(key, 'GET', `/api/v1/folders/${folder.id}`), { name: 'Autumn', keep: true });
    await leave();
  });

  t.test('a line that is down is said once, and the page goes on when it is back', async (t) => {
    const key = await dashboard.account();
    await api(key, 'POST', '/api/v1/folders', { name: 'Spring' });
    const { page, leave } = await dashboard.signedIn(key);
    await go(page, 'folders');
    await page.getByRole('link', { name: 'Spring', exact: true }).waitFor();
    await page.context().setOffline(true);
    const bar = page.getByText('The service cannot be reached.');
    await bar.waitFor();
    await page.getByRole('link', { name: 'Bin' }).click();
    await page.waitForURL('**/bin');
    t.equal(await bar.count(), 1, 'on a screen that cannot be loaded, too');
    await page.goBack();
    await page.getByRole('button', { name: 'Actions for Spring' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const rename = page.getByRole('dialog');
    await rename.getByLabel('Name').fill('Autumn');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await rename.getByRole('alert').filter({ hasText: 'Try again when the connection is back.' }).waitFor();
    await inspect(t, page, 'line-down');
    await api(key, 'POST', '/api/v1/folders', { name: 'Summer' });
    await page.context().setOffline(false);
    await bar.waitFor({ state: 'detached' });
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Autumn', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Summer', exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Developers' }).click();
    await bar.waitFor();
    await page.context().setOffline(false);
    await page.getByText('Active keys').waitFor();
    await leave();
  });

  t.test('a running search dims the list of the search before', async (t) => {
    const key = await dashboard.account();
    for (const name of ['Spring', 'Summer']) await api(key, 'POST', '/api/v1/folders', { name });
    const page = await dashboard.open(t, key);
    await go(page, 'folders');
    await page.getByRole('link', { name: 'Summer', exact: true }).waitFor();
    let letThrough = () => {};
    const isSeen = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/api/v1/folders?*search=*', (route) => isSeen.then(() => route.continue()));
    await page.getByLabel('Search folders').fill('Spr');
    const old = page.locator('.outdated[aria-busy=true]');
    await old.getByText('Summer').waitFor();
    letThrough();
    await old.waitFor({ state: 'detached' });
    t.equal(await page.getByText('Summer').count(), 0);
  });
});
