/** Every screen, on a phone and on a desktop, light and dark: checked for accessibility, with a picture of each. */
import t, { type Test } from 'tap';
import { WIDTHS } from '../../support/browser/browser.ts';
import { makeSample, type SampleScreen } from './sample.ts';
import {
  graveFaults,
  isTooWide,
  signInOperator,
  startDashboard,
  takePicture,
  type Visitor,
} from './support.ts';

/** The rules that depend on colours; the others have the same result in the dark. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

type Page = Visitor['page'];

const lookAtDark = async (t: Test, page: Page, name: string): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, `${name}-dark`);
  t.strictSame(await graveFaults(page, RULES_OF_COLOURS), [], `${name}, dark`);
  await page.emulateMedia({ colorScheme: 'light' });
};

/** Returns how many lines the elements of a selector take up. */
const linesOf = async (page: Page, selector: string): Promise<number> => {
  const ends = `Array.from(document.querySelectorAll('${selector}'), (e) => e.getBoundingClientRect().bottom)`;
  return new Set(await page.evaluate<number[]>(ends)).size;
};

/** Elements that should take up this many lines of their screen. */
const LINES: Readonly<
  Record<string, { readonly of: string; readonly phone: number; readonly desktop: number }>
> = {
  folder: { of: 'main .page-head .actions :is(button, a.button)', phone: 2, desktop: 1 },
  bin: { of: 'td:not(:first-child, .end, .spare)', phone: 2, desktop: 1 },
};

t.test('every screen is accessible and fits its window', async (t) => {
  const dashboard = await startDashboard(t);
  const { key, screens, operatorScreens } = await makeSample(t, dashboard);

  for (const width of ['phone', 'desktop'] as const) {
    t.test(`on a ${width}, light and dark`, async (t) => {
      const out = await dashboard.visitor({ width });
      await out.page.goto('/dashboard');
      await out.page.getByRole('heading', { name: 'Tessera' }).waitFor();
      await takePicture(out.page, `sign-in-${width}-light`);
      t.strictSame(await graveFaults(out.page), [], 'sign-in');
      await lookAtDark(t, out.page, `sign-in-${width}`);

      const visitor = await dashboard.signedIn(key, { width });
      const look = async (page: Page, [name, path, heading]: SampleScreen) => {
        await page.goto(path);
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
        await takePicture(page, `${name}-${width}-light`);
        t.strictSame(await graveFaults(page), [], name);
        t.notOk(await isTooWide(page), `${name} fits into the window`);
        t.match(await page.title(), /Tessera/);
        const lines = LINES[name];
        if (lines) t.equal(await linesOf(page, lines.of), lines[width], `lines of ${name}`);
        await lookAtDark(t, page, `${name}-${width}`);
      };
      for (const screen of screens) await look(visitor.page, screen);
      if (width === 'phone') {
        await visitor.page.setViewportSize({ width: 360, height: 740 });
        t.equal(await linesOf(visitor.page, 'nav > a, nav summary'), 1, 'one row of navigation at 360 px');
        t.notOk(await isTooWide(visitor.page));
      } else {
        // Windows of 2,400 to 1,280 pixels at 200 %.
        for (const widthPx of [1200, 1000, 961, 960, 800, 720, 705, 640]) {
          await visitor.page.setViewportSize({ width: widthPx, height: 450 });
          t.equal(await linesOf(visitor.page, 'nav > a, nav summary'), 1, `one row at ${widthPx} px`);
          t.notOk(await isTooWide(visitor.page), `${widthPx} px`);
        }
        await visitor.page.setViewportSize(WIDTHS.desktop);
      }
      await signInOperator(out.page);
      for (const screen of operatorScreens) await look(out.page, screen);
      t.strictSame([...out.faults(), ...visitor.faults()], [], 'no error on the console');
      await out.leave();
      await visitor.leave();
    });
  }
});

t.test('long names, tags and addresses fit into the window of a phone', async (t) => {
  const dashboard = await startDashboard(t);
  const { api } = dashboard;
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  const key = await dashboard.account(undefined, 'pro', { name: word });
  const data = `https://example.com/${'long-'.repeat(60)}`;
  const { meta } = await api(key, 'POST', '/api/v1/qr/bulk', {
    folderName: word,
    items: [{ data, dynamic: true }],
  });
  const { data: codes } = await api(key, 'GET', '/api/v1/codes');
  const { id } = codes[0]!;
  await api(key, 'PATCH', `/api/v1/codes/${id}`, { name: word, tags: [word.slice(0, 64), 'poster'] });
  await api(key, 'POST', '/api/v1/keys', { name: word });
  await api(key, 'POST', '/api/v1/webhooks', { url: data, events: ['scan'] });
  const rules = [{ name: 'half', when: { share_percent: 50 }, destination: data }];
  const set = await api(key, 'POST', '/api/v1/rule-sets', { name: word, rules });
  const page = await dashboard.open(t, key, { width: 'phone' });
  const screens = [
    ...['', '/codes', '/folders', `/folders/${meta.folder_id}`, `/codes/${id}`, '/links', '/keys'],
    ...['/keys/webhooks', '/links/rule-sets', `/links/rule-sets/${set.id}`],
  ];
  for (const path of screens) {
    await page.goto(`/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    t.notOk(await isTooWide(page), path);
  }
});
