/** The dashboard in German: chosen by the browser or by a person, with no English left and nothing too wide. */
import t from 'tap';
import { makeSample } from './sample.ts';
import { go, graveFaults, isTooWide, startDashboard, takePicture, type Visitor } from './support.ts';

type Page = Visitor['page'];

/** Words of English sentences that are no German words, and that neither names nor faults of the sample have. */
const ENGLISH =
  /(?<![\w/.-])(the|and|your|this|that|of|with|not|are|is|from|by|all|save|edit|delete|search|copy|created|made|show|new|next|size|name of|loading|sent|since|choose)(?![\w/-])/i;

/** What people have named in English, and what the service has found wrong. */
const NAMED = [
  'Posters for the summer festival at the harbour',
  'For the dashboard',
  'the address could not be reached',
  'there is no such short link',
];

/** What a person sees or hears of the page. */
const TEXTS = `(() => {
  const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title], [data-name], [data-unit]')]
    .flatMap((e) => ['aria-label', 'placeholder', 'title', 'data-name', 'data-unit'].map((name) => e.getAttribute(name) ?? ''));
  const shown = [...document.querySelectorAll('body *:not(script, code, kbd, pre, .language *)')]
    .flatMap((e) => [...e.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data));
  return [document.title, ...labels, ...shown];
})()`;

const englishOn = async (page: Page): Promise<readonly string[]> => {
  const texts: readonly string[] = await page.evaluate(TEXTS);
  return texts.filter((text) => ENGLISH.test(NAMED.reduce((left, name) => left.replace(name, ''), text)));
};

const signIn = async (page: Page, key: string): Promise<void> => {
  await page.goto('/dashboard');
  await page.getByLabel('API-Schlüssel').fill(key);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
};

t.test('every screen is German in a German browser, accessible, and fits its window', async (t) => {
  const dashboard = await startDashboard(t);
  const { key, screens } = await makeSample(t, dashboard);
  for (const width of ['phone', 'desktop'] as const) {
    const { page, faults, leave } = await dashboard.visitor({ width, locale: 'de-DE' });
    await signIn(page, key);
    for (const [name, path] of screens) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await takePicture(page, `${name}-${width}-german`);
      t.strictSame(await englishOn(page), [], `${name} on a ${width}`);
      t.notOk(await isTooWide(page), `${name} fits into a ${width}`);
      t.strictSame(await graveFaults(page), [], name);
    }
    t.equal(await page.locator('html').getAttribute('lang'), 'de');
    t.strictSame(faults(), []);
    await leave();
  }
});

t.test('the language that a person chooses stays, before and after the sign-in', async (t) => {
  const dashboard = await startDashboard(t);
  const key = await dashboard.account();
  const { page, leave } = await dashboard.visitor();
  await page.goto('/dashboard');
  await page.getByLabel('Language').selectOption('Deutsch');
  await page.getByRole('button', { name: 'Anmelden' }).waitFor();
  await signIn(page, key);
  await page.getByText('Noch keine Codes.').or(page.getByText('Erste Schritte')).first().waitFor();
  await page.getByLabel('Sprache').selectOption('English');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await go(page, 'codes');
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Codes');
  await page.getByText('No codes yet.').waitFor();
  await leave();
});
