/** Rules, limits, passwords and what links pass on, in a real browser. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { go, inspect, startDashboard, tabTo } from '../support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const DESTINATION = 'https://example.com/menu';

/** Makes a short link, and returns the id of its code and its slug. */
const makeLink = async (folder = 'Posters') => {
  const body = { data: DESTINATION, dynamic: true, folder_name: folder };
  const { id, slug } = await dashboard.api(key, 'POST', '/api/v1/codes', body);
  return { id: id as string, slug: slug as string };
};

/** Waits until a visit of a short link is led there. */
const leadsTo = (path: string, location: string, language = 'en'): Promise<unknown> =>
  until(async () => {
    const headers = {
      'accept-language': language,
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0',
    };
    const answer = await fetch(`${dashboard.url}/l/${path}`, { headers, redirect: 'manual' });
    return answer.headers.get('location') === location;
  });

t.test(
  'a rule is added by keyboard, with what the service says beside its field, and explained',
  async (t) => {
    const { id, slug } = await makeLink();
    const page = await dashboard.open(t, key);
    await go(page, `codes/${id}`);
    const dialog = page.getByRole('dialog');
    await tabTo(page, page.getByRole('button', { name: 'Add a rule' }));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByLabel('Name'));
    await page.keyboard.type('german');
    await tabTo(page, dialog.getByLabel('Language', { exact: true }));
    await page.keyboard.press('Space');
    await tabTo(page, dialog.getByLabel('Languages'));
    await page.keyboard.type('de, Deutsch_');
    await tabTo(page, dialog.getByLabel('Days and times'));
    await page.keyboard.press('Space');
    t.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), 'no day and no time is chosen');
    await dialog.getByLabel('Mon', { exact: true }).check();
    await dialog.getByLabel('Time zone').fill('Mars/Olympus');
    await dialog.getByLabel('Leads to').fill('https://example.com/karte');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const languages = dialog.getByLabel('Languages');
    await dialog.getByText('must be a language, for example de or pt-BR').waitFor();
    t.equal(await languages.getAttribute('aria-invalid'), 'true');
    await inspect(t, page, 'rule-faults');
    await languages.fill('de');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('must be the name of a time zone').waitFor();
    t.equal(await dialog.getByLabel('Time zone').getAttribute('aria-invalid'), 'true');
    await dialog.getByLabel('Days and times').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await leadsTo(slug, 'https://example.com/karte', 'de-CH');

    await page.getByRole('button', { name: 'Explain a visit' }).click();
    await dialog.getByLabel('Languages').fill('fr');
    await dialog.getByLabel('Device').selectOption('Android');
    await dialog.getByRole('button', { name: 'Explain' }).click();
    await dialog.getByText(`No rule holds, so the link leads to ${DESTINATION}.`).waitFor();
    await dialog.getByText('Language: found fr').waitFor();
    await dialog.getByLabel('Languages').fill('de');
    t.equal(
      await dialog.getByText('Language: found fr').count(),
      0,
      'what was said of another visit is gone',
    );
    await page.keyboard.press('Enter');
    await dialog.getByText('The rule “german” leads to https://example.com/karte.').waitFor();
    await inspect(t, page, 'explain');
  },
);

t.test('rules are moved, changed, removed, and brought back from the history', async (t) => {
  const { id, slug } = await makeLink();
  const rule = (name: string, query: object) => ({
    ...{ name, when: { query }, destination: `https://example.com/${name}` },
  });
  const rules = [rule('any', { size: [] }), rule('large', { size: ['L', 'XL'] })];
  await dashboard.api(key, 'PATCH', `/api/v1/links/${slug}`, { rules });
  const page = await dashboard.open(t, key, { width: 'phone', colorScheme: 'dark' });
  await go(page, `codes/${id}`);
  await leadsTo(`${slug}?size=L`, 'https://example.com/any');
  await page.getByRole('button', { name: 'Move up the rule “large”' }).click();
  await leadsTo(`${slug}?size=L`, 'https://example.com/large');
  await inspect(t, page, 'rules-phone');
  await page.getByRole('button', { name: 'Edit the rule “large”' }).click();
  const dialog = page.getByRole('dialog');
  t.equal(await dialog.getByRole('textbox', { name: 'Parameters' }).inputValue(), 'size=L\nsize=XL');
  await dialog.getByRole('textbox', { name: 'Parameters' }).fill('size=M');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await leadsTo(`${slug}?size=M`, 'https://example.com/large');
  await page.getByRole('button', { name: 'Remove the rule “any”' }).click();
  await leadsTo(`${slug}?size=L`, DESTINATION);

  await page.getByText('History').click();
  await page.getByText('Rules: any, large').waitFor();
  await page.getByText('Rules: large', { exact: true }).waitFor();
  await page.getByText('Rules: large, any').first().waitFor();
  await page.getByRole('button', { name: 'Use it again' }).first().click();
  await leadsTo(`${slug}?size=L`, 'https://example.com/any');
});

t.test('a limit, a password and what is passed on are set and removed', async (t) => {
  const { id, slug } = await makeLink();
  const read = () => dashboard.api(key, 'GET', `/api/v1/links/${slug}`);
  const page = await dashboard.open(t, key);
  await go(page, `codes/${id}`);
  const dialog = page.getByRole('dialog');
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'Change the limit of visits' }).click();
  await dialog.getByLabel('Visits').fill('500');
  await save();
  await page.getByText('Leads 500 people; 0 so far.').waitFor();

  await page.getByRole('button', { name: 'Set the password' }).click();
  await dialog.getByLabel('Password').fill('open sesame');
  await save();
  await page.getByText('Visitors are asked for a password.').waitFor();
  t.equal(await page.getByText('open sesame').count(), 0, 'it is never shown');
  t.match(await read(), { has_password: true, visit_limit: 500 });
  await page.getByRole('button', { name: 'Remove the password' }).click();
  await dialog.getByRole('button', { name: 'Remove the password' }).click();
  await page.getByText('Visitors need none.').waitFor();

  await page.getByRole('button', { name: 'Change what is passed on' }).click();
  await dialog.getByText('For this link').click();
  await dialog.getByLabel('What follows a “?” in the short link').selectOption('keep-own');
  await dialog.getByLabel('Pass on the rest of the path').check();
  await dialog.getByLabel('utm_source').fill('{slog}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('did you mean {slug}?').waitFor();
  t.equal(await dialog.getByLabel('utm_source').getAttribute('aria-invalid'), 'true');
  await inspect(t, page, 'forward');
  await dialog.getByLabel('utm_source').fill('{slug}');
  await save();
  await page.getByText('Adds utm_source={slug}').waitFor();
  await leadsTo(`${slug}/a?b=c`, `${DESTINATION}/a?utm_source=${slug}&b=c`);
  await inspect(t, page, 'link-settings');

  await go(page, 'links/settings');
  await page.getByRole('button', { name: 'Change what is passed on' }).click();
  await dialog.getByLabel('What follows a “?” in the short link').selectOption('keep-theirs');
  await save();
  await page
    .getByText('What follows a “?” in the short link, also where the destination has the same.')
    .waitFor();
  const other = await makeLink();
  await leadsTo(`${other.slug}?b=c`, `${DESTINATION}?b=c`);

  await page.getByLabel('Browsers may keep a redirect').selectOption({ label: '1 h' });
  await page.getByText('Saved. Visits follow within a second.').waitFor();
  const keptFor = async () => (await dashboard.api(key, 'GET', '/api/v1/account')).redirect_max_age_s;
  t.equal(await keptFor(), 3600);
  await page.getByLabel('Browsers may keep a redirect').selectOption({ label: 'Not at all' });
  await until(async () => (await keptFor()) === 0);
  await inspect(t, page, 'links-settings');
});

t.test('a rule set is made, given to a folder, changed after a count, undone and brought back', async (t) => {
  const { id, slug } = await makeLink('Summer fair');
  await makeLink('Summer fair');
  const page = await dashboard.open(t, key);
  const dialog = page.getByRole('dialog');
  await go(page, 'links/rule-sets');
  await page.getByText('No rule sets yet.').waitFor();
  await inspect(t, page, 'rule-sets-none');
  await page.getByRole('button', { name: 'New rule set' }).click();
  await dialog.getByLabel('Name of the set').fill('App stores');
  await dialog.getByLabel('Name', { exact: false }).last().fill('desktops');
  await dialog.getByLabel('Device').check();
  await dialog.getByLabel('Computer').check();
  await dialog.getByLabel('Leads to').fill('https://example.com/desktop');
  await inspect(t, page, 'rule-set-new');
  await dialog.getByRole('button', { name: 'Make the set' }).click();
  await page.getByRole('heading', { name: 'App stores', level: 1 }).waitFor();
  await page.getByText('0 short links').waitFor();

  await page.getByRole('button', { name: 'Give to a folder' }).click();
  await dialog.getByLabel('Summer fair').check();
  await inspect(t, page, 'rule-set-folder');
  await dialog.getByRole('button', { name: 'Give it to them' }).click();
  await page.getByText('Saved. 2 links changed.').waitFor();
  await page.getByText('2 short links').waitFor();
  await leadsTo(slug, 'https://example.com/desktop');

  const edit = async (path: string) => {
    await page.getByRole('button', { name: 'Edit the rule “desktops”' }).click();
    await dialog.getByLabel('Leads to').fill(`https://example.com/${path}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
  };
  await edit('second');
  const question = page.getByRole('dialog', { name: 'Change 2 short links?' });
  await question.waitFor();
  await inspect(t, page, 'rule-set-question');
  await leadsTo(slug, 'https://example.com/desktop');
  await question.getByRole('button', { name: 'Change them' }).click();
  await leadsTo(slug, 'https://example.com/second');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await leadsTo(slug, 'https://example.com/desktop');
  await page.getByText('History').click();
  await page.locator('.rows li').nth(2).waitFor();
  await page.getByRole('button', { name: 'Use it again' }).first().click();
  await question.getByRole('button', { name: 'Change them' }).click();
  await leadsTo(slug, 'https://example.com/second');
  await inspect(t, page, 'rule-set');

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the rule set' }).click();
  await page.getByText('set their rule_set_id to null first').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();

  await go(page, `codes/${id}`);
  await page.getByRole('link', { name: 'App stores' }).waitFor();
  await page.getByRole('button', { name: 'Change the rule set' }).click();
  await dialog.getByLabel('Rule set').selectOption('None');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await leadsTo(slug, DESTINATION);
});
