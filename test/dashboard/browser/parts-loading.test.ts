/** Screens whose scripts fail to load, or no longer exist because another build was installed. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../servers/until.ts';
import { graveFaults, inspect, shoot, startDashboard } from './support.ts';

const page = await readFile(new URL('../../../dist/dashboard/en.html', import.meta.url), 'utf8');
const parts: Record<string, string[]> = JSON.parse(/id="parts">(.*?)<\/script>/.exec(page)![1]!);
/** Shared by several screens and loaded by none at the start: a failed import of it would break them all. */
const [shared = ''] = parts.bin!.filter((file) => parts.folders!.includes(file));

/** Follows a link to a screen without loading the page again. */
const follow = (page: Page, screen: string): Promise<unknown> =>
  page.evaluate(
    `document.body.append(Object.assign(document.createElement('a'), { href: '/dashboard/${screen}', id: 'way' }));
    document.getElementById('way').click();
    document.getElementById('way').remove()`,
  );

t.test('the page lists the scripts of every part', async (t) => {
  const named = [
    'main',
    'frame',
    'palette/keyboard',
    'ui/series',
    'screens/designer/content/content-card',
  ].map(async (file) => {
    const source = await readFile(new URL(`../../../src/dashboard/${file}.tsx`, import.meta.url), 'utf8');
    return [...source.matchAll(/\bmakePart(?:<\w+>)?\(\s*'([\w-]+)'/g)].map(([, name]) => name);
  });
  t.strictSame(Object.keys(parts).sort(), (await Promise.all(named)).flat().sort());
  for (const [name, files] of Object.entries(parts)) {
    t.match(files[0], new RegExp(`^${name}-\\w+\\.js$`), 'its own comes first');
    for (const file of files) t.notMatch(page.replace(/id="parts">.*/, ''), file);
  }
  t.ok(shared, 'some are shared');
});

t.test('in a browser', async (t) => {
  const dashboard = await startDashboard(t);

  for (const [what, file] of [
    ['its own script', parts.bin![0]!],
    ['a script that it shares', shared],
  ] as const) {
    for (const trouble of ['no connection', 'an error of the server'] as const) {
      t.test(`a screen continues without a reload after ${trouble} for ${what}`, async (t) => {
        const { page, leave } = await dashboard.signedIn(await dashboard.account());
        let loads = 0;
        page.on('load', () => {
          loads += 1;
        });
        const where = `**/dashboard/assets/${file}*`;
        await page.route(where, (route) =>
          trouble === 'no connection' ? route.abort() : route.fulfill({ status: 503, body: '{}' }),
        );
        await follow(page, 'bin');
        const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
        await alert.waitFor();
        await alert.getByRole('button', { name: 'Try again' }).click();
        await alert.waitFor();
        t.strictSame(await graveFaults(page), []);
        if (what === 'its own script') await shoot(page, 'part-failed');
        await page.unroute(where);
        await alert.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('heading', { name: 'Bin', level: 1 }).waitFor();
        await page.getByRole('link', { name: 'Folders', exact: true }).click();
        await page.getByRole('heading', { name: 'Folders', level: 1 }).waitFor();
        t.equal(loads, 0, 'the page was not reloaded');
        await leave();
      });
    }
  }

  t.test('when its scripts no longer exist the page asks for a reload, which helps', async (t) => {
    const { page, leave } = await dashboard.signedIn(await dashboard.account());
    const where = `**/dashboard/assets/${parts.keys![0]}`;
    // What the gateway answers for files of another build.
    const gone = await fetch(`${dashboard.url}/dashboard/assets/keys-OTHER123.js`);
    t.equal(gone.status, 404);
    await page.route(where, async (route) => route.fulfill({ status: 404, json: await gone.json() }));
    await page.getByRole('link', { name: 'Developers' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'must be reloaded' });
    await alert.waitFor();
    await alert.getByText('A new version was installed').waitFor();
    t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await inspect(t, page, 'part-outdated');
    await page.unroute(where);
    await alert.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await leave();
  });

  t.test('the URL for dead links is set, checked, removed, and set again from its history', async (t) => {
    const key = await dashboard.account();
    const { page, leave } = await dashboard.signedIn(key);
    await follow(page, 'bin');
    await page.getByRole('link', { name: 'address for codes that lead nowhere' }).click();
    await page.getByRole('heading', { name: 'Settings of links', level: 1 }).waitFor();
    const field = page.getByLabel('Address for deleted and ended codes');
    await field.fill('example.com');
    await page.getByRole('alert').filter({ hasText: 'whole address' }).waitFor();
    t.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    await field.fill('https://example.com/gone');
    const save = page.getByRole('button', { name: 'Save' });
    let letThrough = (): void => {};
    const isTyped = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const account = '**/api/v1/account';
    await page.route(account, async (route) => {
      if (route.request().method() === 'GET') await isTyped;
      await route.fallback();
    });
    await save.click();
    await page.getByText('These codes lead there now').waitFor();
    t.equal((await dashboard.api(key, 'GET', '/api/v1/account')).dead_link_url, 'https://example.com/gone');
    await field.fill('');
    await until(() => save.isEnabled());
    const read = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/account'));
    letThrough();
    await read;
    await page.unroute(account);
    await page.waitForLoadState('networkidle');
    t.equal(await field.inputValue(), '', 'the late answer does not replace what was typed');
    await save.click();
    await page.getByText('These codes lead nowhere now').waitFor();
    t.equal((await dashboard.api(key, 'GET', '/api/v1/account')).dead_link_url, null);
    await page.getByText('Earlier addresses').click();
    await page.getByRole('listitem').filter({ hasText: '/gone' }).getByRole('button').click();
    await until(async () => (await field.inputValue()) === 'https://example.com/gone');
    await inspect(t, page, 'dead-links-again');
    await leave();
  });

  for (const [width, colorScheme] of [
    ['phone', 'light'],
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const) {
    t.test(`a scan of a dead link shows a page on a ${width}, ${colorScheme}`, async (t) => {
      const { page, leave } = await dashboard.visitor({ width, colorScheme });
      const answer = await page.goto('/l/00000000');
      t.equal(answer?.status(), 404);
      await page.getByRole('heading', { name: 'This code leads nowhere', level: 1 }).waitFor();
      await inspect(t, page, `dead-link-${width}-${colorScheme}`);
      await leave();
    });
  }
});
