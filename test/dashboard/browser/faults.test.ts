/** What the page shows when the gateway refuses, is unavailable, or has ended the session. */
import t from 'tap';
import { inspect, signIn, startDashboard, toFolders } from './support.ts';

t.test('faults', async (t) => {
  const dashboard = await startDashboard(t);
  const { api } = dashboard;

  t.test('after its key is revoked the session has ended, and the page says so', async (t) => {
    const key = await dashboard.account();
    const { page } = await dashboard.signedIn(key, { width: 'phone' });
    const more = page.getByText('More', { exact: true });
    const keys = page.getByRole('link', { name: 'Developers' });
    await more.press('Enter');
    await keys.waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await more.press('Enter');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    const made = await api(key, 'POST', '/api/v1/keys', { name: 'Another', scopes: ['manage'] });
    const { data: held } = await api(key, 'GET', '/api/v1/keys');
    const own = held.find(({ name }) => name !== 'Another')!;
    await api(made.key, 'DELETE', `/api/v1/keys/${own.id}`);
    // A revocation applies within a second on every gateway.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    // A pending request of the screen may have noticed it before; then this changes nothing.
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Your session has ended').waitFor();
    await inspect(t, page, 'session-ended-phone-light');
    await signIn(page, made.key, 'Keys');
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    t.equal(await page.getByText('Your session has ended').count(), 0, 'signing out shows no such message');
    await page.context().close();
  });

  t.test('a form that is refused because of a rate limit says how long to wait', async (t) => {
    const key = await dashboard.account();
    await api(key, 'POST', '/api/v1/folders', { name: 'Spring' });
    const { page } = await dashboard.signedIn(key);
    await toFolders(page);
    await page.getByRole('button', { name: 'Actions for Spring' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const body = JSON.stringify({
      error: 'Rate limit exceeded',
      details: 'Too many requests came from this account.',
    });
    await page.route('**/api/v1/folders/*', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '9' }, contentType: 'application/json', body }),
    );
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Autumn');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Wait 9 seconds, then try again.' }).waitFor();
    t.equal(await dialog.getByLabel('Name').inputValue(), 'Autumn', 'the input is still there');
    await page.context().close();
  });

  t.test('what is refused for a moment is read again, without a word', async (t) => {
    const key = await dashboard.account();
    await api(key, 'POST', '/api/v1/folders', { name: 'Spring' });
    const page = await dashboard.open(t, key);
    let refused = 0;
    await page.route('**/api/v1/folders?*', (route) => {
      if (refused === 2) return route.fallback();
      refused += 1;
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '1' },
        json: {
          error: 'Rate limit exceeded',
          details: 'Too many calls of this account wait for the database.',
        },
      });
    });
    await toFolders(page);
    await page.getByRole('link', { name: 'Spring', exact: true }).waitFor();
    t.equal(refused, 2);
  });

  t.test('returning to the window refreshes the list, which stays visible while it is loading', async (t) => {
    const key = await dashboard.account();
    await api(key, 'POST', '/api/v1/folders', { name: 'Spring' });
    const page = await dashboard.open(t, key);
    await toFolders(page);
    await page.getByRole('link', { name: 'Spring', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await api(key, 'POST', '/api/v1/folders', { name: 'Summer' });
    t.equal(await page.getByRole('link', { name: 'Summer', exact: true }).count(), 0);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('link', { name: 'Summer', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    let letThrough = () => {};
    const isSeen = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const calls = '**/api/v1/folders?*';
    await page.route(calls, (route) => isSeen.then(() => route.continue()));
    await toFolders(page);
    await page.getByRole('link', { name: 'Summer', exact: true }).waitFor();
    letThrough();
    await page.waitForLoadState('networkidle');
    await page.unroute(calls);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.route(calls, () => {});
    await signIn(page, await dashboard.account(), 'Folders');
    await page.getByText('Loading folders').waitFor();
    t.equal(await page.getByText('Summer').count(), 0, 'another account does not see the list');
  });

  t.test('an account without units left is shown what to do, and so is the demo account', async (t) => {
    for (const [name, words] of [
      ['Print shop', 'The operator of this service can add credits'],
      ['demo', 'This is the demo account'],
    ] as const) {
      const key = await dashboard.account(undefined, 'pro', { name, monthly_quota: 0 });
      // Without codes and other keys the page would show the first steps.
      await dashboard.api(key, 'POST', '/api/v1/keys', { name: 'shop' });
      const { page, leave } = await dashboard.signedIn(key);
      await page.getByText('This month’s units and all credits are used up.').waitFor();
      await page.getByText(words).waitFor();
      await inspect(t, page, `quota-used-${name.split(' ')[0]}`);

      const alert = page.getByRole('alert');
      for (const [error, told] of [
        ['Quota exhausted', words],
        ['Rate limit exceeded', 'RATE_LIMIT_PER_SECOND'],
      ] as const) {
        const headers = { 'retry-after': '9' };
        await page.route('**/api/v1/scans?*', (route) =>
          route.fulfill({ status: 429, headers, json: { error, details: 'x' } }),
        );
        await page.goto('/dashboard');
        await alert.getByText(told).waitFor();
        t.equal(await alert.getByText('Wait 9 seconds').count(), error === 'Quota exhausted' ? 0 : 1);
      }
      await page.getByRole('link', { name: 'sign in as the operator' }).click();
      await page.getByLabel('Admin token').waitFor();
      await leave();
    }
  });

  for (const [name, path, calls] of [
    ['Home', '', '**/api/v1/usage'],
    ['Folders', '/folders', '**/api/v1/folders?*'],
    ['Bin', '/bin', '**/api/v1/bin?*'],
  ] as const) {
    t.test(`${name} says what to do while the gateway is overloaded, and continues after that`, async (t) => {
      const { page } = await dashboard.signedIn(await dashboard.account());
      await page.route(calls, (route) =>
        route.fulfill({
          status: 503,
          headers: { 'retry-after': '3' },
          json: { error: 'Service unavailable', details: 'try again later' },
        }),
      );
      await page.goto(`/dashboard${path}`);
      const alert = page.getByRole('alert');
      await alert.getByText('Wait 3 seconds, then try again.').waitFor();
      await inspect(t, page, `away-${name.toLowerCase()}`);
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await alert.waitFor({ state: 'detached' });
      await page.context().close();
    });
  }
});
