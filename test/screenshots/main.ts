/**
 * `npm run screenshots` takes screenshots of every screen of the dashboard, on a desktop and on a phone, light and
 * dark. It starts its own gateway and database, with an account that was used for a month.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeSample, type Sample } from '../dashboard/browser/sample.ts';
import {
  signInOperator,
  startDashboard,
  type TestDashboard,
  type Visitor,
} from '../dashboard/browser/support.ts';
import type { PageOptions } from '../support/browser/browser.ts';
import { commandLine, misuse } from '../support/command.ts';

const README_PICTURE = fileURLToPath(new URL('../../docs/images/dashboard.png', import.meta.url));
const README_WINDOW = { width: 1120, height: 660 };

const shootInto = async ({ page }: Visitor, path: string, fullPage = true): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path, fullPage, animations: 'disabled' });
};

const shootAll = async (dashboard: TestDashboard, sample: Sample, folder: string, look: PageOptions) => {
  const name = (screen: string) => join(folder, `${screen}-${look.width}-${look.colorScheme}.png`);
  const stranger = await dashboard.visitor(look);
  await stranger.page.goto('/dashboard');
  await stranger.page.getByRole('heading', { name: 'Tessera' }).waitFor();
  await shootInto(stranger, name('sign-in'));
  const visitor = await dashboard.signedIn(sample.key, look);
  const shoot = async (who: Visitor, [screen, path, heading]: Sample['screens'][number]) => {
    await who.page.goto(path);
    await who.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await shootInto(who, name(screen));
  };
  for (const screen of sample.screens) await shoot(visitor, screen);
  await signInOperator(stranger.page);
  await stranger.page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  for (const screen of sample.operatorScreens) await shoot(stranger, screen);
  await stranger.leave();
  await visitor.leave();
};

const shootForReadme = async (dashboard: TestDashboard, { key }: Sample): Promise<void> => {
  const visitor = await dashboard.signedIn(key);
  const { page } = visitor;
  await page.setViewportSize(README_WINDOW);
  await page.goto('/dashboard/design');
  await page.getByText('Sunset', { exact: true }).click();
  await shootInto(visitor, README_PICTURE, false);
};

const { values, positionals } = commandLine({
  name: 'npm run screenshots',
  operands: '<folder>',
  about:
    'Takes screenshots of every screen of the dashboard, on a desktop and on a phone, light and dark, as home-desktop-light.png and so on. It starts its own gateway and database, with an account that was used for a month.',
  options: {
    readme: {
      type: 'boolean',
      default: false,
      text: 'takes only the screenshot in the README, docs/images/dashboard.png',
    },
  },
  examples: [
    ['/tmp/screens', 'all screens into a folder'],
    ['--readme', 'the screenshot in the README'],
  ],
});
const [wanted = ''] = positionals;
if (wanted === '' && !values.readme) misuse('name a folder for the screenshots, or use --readme');

t.setTimeout(0);
t.test('screenshots', { timeout: 0 }, async (t) => {
  const dashboard = await startDashboard(t);
  const sample = await makeSample(t, dashboard);
  if (values.readme) return shootForReadme(dashboard, sample);
  const folder = resolve(wanted);
  await mkdir(folder, { recursive: true });
  for (const width of ['desktop', 'phone'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await shootAll(dashboard, sample, folder, { width, colorScheme });
    }
  }
});
