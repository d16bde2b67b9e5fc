/** A real browser for tests: headless Chromium, whose pages record every error. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { TestScope } from '../../servers/server-process.ts';
import { findChromium } from './chromium.ts';

/** Folder for screenshots of tests. It is kept after the run. */
export const SHOTS = fileURLToPath(new URL('../../../.tap/screenshots/', import.meta.url));

/** Starts Chromium, which is closed when the scope ends. @throws When there is none. */
export const startBrowser = async (scope: TestScope): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium found: install it, or name one in CHROMIUM');
  await mkdir(SHOTS, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  scope.teardown(() => browser.close());
  return browser;
};

/** Sizes of the window in CSS pixels. */
export const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const;

/** A page and its errors. */
export interface OpenPage {
  readonly page: Page;
  /** Errors so far: on the console, from the content security policy, and thrown by scripts. */
  readonly errors: readonly string[];
}

/** Options for opening a page: by default in light colours and English on a desktop. */
export interface PageOptions {
  readonly width?: keyof typeof WIDTHS;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly baseURL?: string;
}

/** Opens a page in a browser profile of its own. */
export const openPage = async (
  browser: Browser,
  { width = 'desktop', colorScheme = 'light', locale = 'en-US', baseURL }: PageOptions = {},
): Promise<OpenPage> => {
  const context = await browser.newContext({
    viewport: WIDTHS[width],
    colorScheme,
    locale,
    // Animations take processor time, and colours during a transition are not the final ones.
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    ...(baseURL === undefined ? {} : { baseURL }),
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  // A machine that runs several tests at once may take ten times as long as an idle one.
  page.setDefaultTimeout(40_000);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('crash', () => errors.push('the page crashed'));
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') errors.push(`a dialog was opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, errors };
};
