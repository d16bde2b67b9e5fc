/** What a person types is there after a reload and after another screen, until it is sent or thrown away. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { go, inspect, signInOperator, startDashboard } from '../support.ts';

const NOTE = 'This is what you typed earlier and have not saved.';

/** A form: where it is, how it is opened, what is typed, and the button that throws it away. */
interface FormCase {
  readonly what: string;
  readonly path: string;
  readonly open?: (page: Page) => Promise<unknown>;
  readonly type: readonly (readonly [label: string, text: string])[];
  readonly isOperators?: true;
}

const pressed =
  (name: string | RegExp, nth = 0) =>
  (page: Page): Promise<unknown> =>
    page.getByRole('button', { name }).nth(nth).click();

t.test('drafts', async (t) => {
  const dashboard = await startDashboard(t);
  const { api } = dashboard;
  const key = await dashboard.account();
  const made = await api(key, 'POST', '/api/v1/qr/bulk', {
    folderName: 'Menu',
    items: [{ data: 'https://example.com/menu', dynamic: true }],
  });
  const { data: codes } = await api(key, 'GET', `/api/v1/folders/${made.meta.folder_id}/codes`);
  const code = `codes/${codes[0]!.id}`;
  await api(key, 'POST', '/api/v1/domains', { host: 'qr.aurora.example' });
  const { data: accounts } = await api('an-admin-token-for-tests', 'GET', '/admin/v1/accounts');

  const forms: readonly FormCase[] = [
    { what: 'the designer', path: 'design', type: [['Web address', 'https://example.com/spring']] },
    {
      what: 'the destination of a link',
      path: code,
      type: [['Destination', 'https://example.com/summer']],
    },
    {
      what: 'the short address',
      path: code,
      open: pressed('Change the short address'),
      type: [['Last part of the address', 'summer-menu']],
    },
    {
      what: 'start and end',
      path: code,
      open: pressed('Change start and end'),
      type: [['Start', '2031-05-01T08:00']],
    },
    { what: 'a limit', path: code, open: pressed('Change the limit of visits'), type: [['Visits', '500']] },
    {
      what: 'a rule',
      path: code,
      open: pressed('Add a rule'),
      type: [
        ['Name', 'swiss'],
        ['Leads to', 'https://example.com/ch'],
      ],
    },
    { what: 'a folder', path: 'folders', open: pressed('New folder'), type: [['Name', 'Autumn']] },
    {
      what: 'a key',
      path: 'keys',
      open: pressed('New key'),
      type: [
        ['Name', 'Till'],
        ['Units a month', '300'],
      ],
    },
    {
      what: 'a webhook',
      path: 'keys/webhooks',
      open: pressed('New webhook'),
      type: [['Address', 'https://example.com/hook']],
    },
    {
      what: 'a domain',
      path: 'links/domains',
      open: pressed('Add a domain'),
      type: [['Host', 'go.aurora.example']],
    },
    {
      what: 'the answers of a domain',
      path: 'links/domains/qr.aurora.example',
      open: pressed('Change what it answers'),
      type: [['robots.txt', 'User-agent: *']],
    },
    {
      what: 'a rule set',
      path: 'links/rule-sets',
      open: pressed('New rule set'),
      type: [
        ['Name of the set', 'Shared'],
        ['Leads to', 'https://example.com/all'],
      ],
    },
    {
      what: 'a counter',
      path: 'batches/counters',
      open: pressed('New counter'),
      type: [['Next number', '1000']],
    },
    {
      what: 'an account',
      path: 'operator',
      open: pressed('New account'),
      type: [['Name', 'Print shop']],
      isOperators: true,
    },
    {
      what: 'the quota of an account',
      path: `operator/accounts/${accounts[0]!.id}`,
      type: [['Units a month', '12345']],
      isOperators: true,
    },
  ];

  for (const { what, path, open = async () => {}, type, isOperators } of forms) {
    t.test(
      `${what}: what is typed is there after a reload and another screen, and can be thrown away`,
      async (t) => {
        const { page, leave, faults } = isOperators
          ? await dashboard.visitor()
          : await dashboard.signedIn(key);
        if (isOperators) await signInOperator(page);
        await page.goto(`/dashboard/${path}`);
        const at = (label: string): Locator =>
          page
            .getByRole('textbox', { name: label })
            .or(page.getByRole('spinbutton', { name: label }))
            .or(page.getByLabel(label, { exact: true }))
            .first();
        await open(page);
        const before = await Promise.all(type.map(([label]) => at(label).inputValue()));
        for (const [label, text] of type) await at(label).fill(text);
        const isThere = async (said: string) => {
          await page.getByText(NOTE).waitFor();
          for (const [label, text] of type) t.equal(await at(label).inputValue(), text, `${label}, ${said}`);
        };
        await page.reload();
        await open(page);
        await isThere('after a reload');
        await inspect(t, page);
        await page.keyboard.press('Escape');
        await page.goto('/dashboard/bin');
        await page.goBack();
        await open(page);
        await isThere('after another screen');
        await page.getByRole('button', { name: 'Start anew' }).click();
        for (const [place, [label]] of type.entries())
          t.equal(await at(label).inputValue(), before[place], `${label}, begun anew`);
        await page.reload();
        await open(page);
        await at(type[0]![0]).waitFor();
        t.equal(await page.getByText(NOTE).count(), 0, 'nothing is left of it');
        t.strictSame(faults(), []);
        await leave();
      },
    );
  }

  t.test('what was sent, or thrown away by Cancel, is no draft any more', async (t) => {
    const page = await dashboard.open(t, key);
    await go(page, 'folders');
    for (const button of ['Create', 'Cancel']) {
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByLabel('Name').fill('Winter');
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      t.equal(
        await page.evaluate('dispatchEvent(new Event("beforeunload")), sessionStorage.length'),
        0,
        button,
      );
    }
    t.equal((await api(key, 'GET', '/api/v1/folders?search=Winter')).data.length, 1);
  });

  t.test('a draft keeps what it changes, and takes over what somebody else has changed', async (t) => {
    const page = await dashboard.open(t, key);
    const { keys } = { keys: await api(key, 'POST', '/api/v1/keys', { name: 'Shop', scopes: ['render'] }) };
    await go(page, 'keys');
    await page.getByRole('button', { name: 'Edit Shop' }).click();
    await page.getByLabel('Units a month').fill('70');
    await api(key, 'PATCH', `/api/v1/keys/${keys.id}`, { name: 'Shop in Bern' });
    await page.reload();
    await page.getByRole('button', { name: 'Edit Shop in Bern' }).click();
    t.equal(await page.getByLabel('Name').inputValue(), 'Shop in Bern');
    t.equal(await page.getByLabel('Units a month').inputValue(), '70');
  });

  t.test('the password of a network is not kept, and the rest of the form is', async (t) => {
    const page = await dashboard.open(t, key);
    await go(page, 'design');
    await page.getByText('Wi-Fi', { exact: true }).click();
    await page.getByLabel('Network name').fill('Harbour');
    await page.getByLabel('Password').fill('ahoy-ahoy');
    await page.evaluate('dispatchEvent(new Event("beforeunload"))');
    t.notMatch(await page.evaluate('JSON.stringify(sessionStorage)'), /ahoy/);
    await page.reload();
    await page.getByText(NOTE).waitFor();
    t.equal(await page.getByLabel('Network name').inputValue(), 'Harbour');
    t.equal(await page.getByLabel('Password').inputValue(), '');
  });

  t.test('a designer that nobody has touched has no draft', async (t) => {
    const page = await dashboard.open(t, key);
    for (const path of ['design', `design?edit=${codes[0]!.id}`, `design?from=${codes[0]!.id}`]) {
      await go(page, path);
      await page
        .getByText(/Grade \d/)
        .first()
        .waitFor();
      t.equal(
        await page.evaluate('dispatchEvent(new Event("beforeunload")), sessionStorage.length'),
        0,
        path,
      );
    }
  });
});
