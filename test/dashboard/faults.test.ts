/** What a person sees when the service refuses, is unavailable, or has ended the session. */
import t from 'tap';
import { graveFaults, isTooWide, shoot, signIn, startDashboard } from './support.ts';

t.test('faults', async (t) => {
  const dashboard = await startDashboard(t);
  const { api } = dashboard;

  t.test('after its key was revoked a session has ended, and the page says so', async (t) => {
    const key = await dashboard.account();
    const { page } = await dashboard.signedIn(key, { width: 'phone' });
    const made = await api(key, 'POST', '/api/v1/keys', { name: 'Another', scopes: ['manage'] });
    const keys = await api(key, 'GET', '/api/v1/keys');
    const own = keys.data.find(({ name }) => name !== 'Another')!;
    await api(made.key, 'DELETE', `/api/v1/keys/${own.id}`);
    // In force within a second on every gateway.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const more = page.getByText('More', { exact: true });
    const bin = page.getByRole('link', { name: 'Bin' });
    await more.press('Enter');
    await bin.waitFor();
    await page.keyboard.press('Escape');
    t.notOk(await bin.isVisible());
    await more.press('Enter');
    await bin.press('Enter');
    await page.getByText('Your session has ended').waitFor();
    await shoot(page, 'session-ended-phone-light');
    t.strictSame(await graveFaults(page), []);
    t.notOk(await isTooWide(page));
    await signIn(page, made.key, 'Bin');
    t.equal(await page.getByText('Your session has ended').count(), 0);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    t.equal(await page.getByText('Your session has ended').count(), 0, 'who signs out is not told that');
    await page.context().close();
  });

  t.test('an account whose units are used up is told what to do, the demo account too', async (t) => {
    for (const [name, words] of [
      ['Print shop', 'Whoever runs this service can add credits'],
      ['demo', 'This is the demo account'],
    ] as const) {
      const key = await dashboard.account(undefined, 'pro', { name, monthlyQuota: 0 });
      // Without codes and other keys it would see its first steps.
      await dashboard.api(key, 'POST', '/api/v1/keys', { name: 'shop' });
      const { page, leave } = await dashboard.signedIn(key);
      await page.getByText('All units of this month and all credits are used.').waitFor();
      await page.getByText(words).waitFor();
      await shoot(page, `quota-used-${name.split(' ')[0]}`);
      t.strictSame(await graveFaults(page), []);

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
    t.test(`${name} says what to do while the service is too busy, and continues after that`, async (t) => {
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
      await shoot(page, `away-${name.toLowerCase()}`);
      t.strictSame(await graveFaults(page), []);
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await alert.waitFor({ state: 'detached' });
      await page.context().close();
    });
  }
});
