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
        await signInOperator(out.page);
        for (const screen of operatorScreens) await look(out.page, screen);
        t.strictSame([...out.faults(), ...visitor.faults()], [], 'no error on the console');
        await out.leave();
        await visitor.leave();
      });
    }
  }
});
