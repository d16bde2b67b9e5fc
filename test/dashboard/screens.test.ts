/** Every screen, on a phone and on a desktop, light and dark: usable by everybody, kept as a picture. */
import t from 'tap';
import { makeSample } from './sample.ts';
import { graveFaults, isTooWide, shoot, signInOperator, startDashboard } from './support.ts';

t.test('every screen', async (t) => {
  const dashboard = await startDashboard(t);
  const { key, screens, operatorScreens } = await makeSample(t, dashboard);

  for (const width of ['phone', 'desktop'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      t.test(`on a ${width}, ${colorScheme}`, async (t) => {
        const out = await dashboard.visitor({ width, colorScheme });
        await out.page.goto('/dashboard');
        await out.page.getByRole('heading', { name: 'Tessera' }).waitFor();
        await shoot(out.page, `sign-in-${width}-${colorScheme}`);
        t.strictSame(await graveFaults(out.page), [], 'sign-in');

        const visitor = await dashboard.signedIn(key, { width, colorScheme });
        const look = async (page: typeof visitor.page, [name, path, heading]: (typeof screens)[number]) => {
          await page.goto(path);
          await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
          await shoot(page, `${name}-${width}-${colorScheme}`);
          t.strictSame(await graveFaults(page), [], name);
          t.notOk(await isTooWide(page), `${name} fits into the window`);
          t.match(await page.title(), /Tessera/);
        };
        for (const screen of screens) await look(visitor.page, screen);
        if (width === 'phone') {
          await visitor.page.setViewportSize({ width: 360, height: 740 });
          const tops =
            'Array.from(document.querySelectorAll("nav > a, nav summary"), (e) => e.getBoundingClientRect().top)';
          t.equal(
            new Set(await visitor.page.evaluate<number[]>(tops)).size,
            1,
            'one row of places at 360 px',
          );
          t.notOk(await isTooWide(visitor.page));
        }
        await signInOperator(out.page);
        for (const screen of operatorScreens) await look(out.page, screen);
        t.strictSame([...out.faults(), ...visitor.faults()], [], 'no error on the console');
        await out.leave();
        await visitor.leave();
      });
    }
  }
});
