/** The dashboard of a gateway of its own, as a visitor sees it. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { startGateway } from '../../servers/gateway-process.ts';
import type { TestScope } from '../../servers/server-process.ts';
import type { AnswerBody } from '../../support/app/answer-body.ts';
import { openPage, type PageOptions, SHOTS, startBrowser } from '../../support/browser/browser.ts';
import { realDatabaseUrl } from '../../support/database/database.ts';

export const ADMIN_TOKEN = 'an-admin-token-for-tests';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface Visitor {
  readonly page: Page;
  /** Errors so far, without the refusals that tests expect. */
  faults(): readonly string[];
  leave(): Promise<void>;
}

export interface TestDashboard {
  readonly url: string;
  readonly databaseUrl: string;
  /** Creates an account and returns its key. */
  account(scopes?: readonly string[], plan?: 'free' | 'pro', wanted?: object): Promise<string>;
  /** Calls the API with a key. Throws when the call is refused. */
  api(key: string, method: string, path: string, body?: unknown): Promise<AnswerBody>;
  /** A browser of its own that is not signed in. */
  visitor(options?: PageOptions): Promise<Visitor>;
  /** A browser of its own that is signed in. */
  signedIn(key: string, options?: PageOptions): Promise<Visitor>;
  /** The page of a browser that is signed in, until the scope ends. Unexpected errors on it fail the scope. */
  open(scope: TestScope, key: string, options?: PageOptions): Promise<Page>;
}

/**
 * Refusals that the tests cause on purpose, or that a busy machine causes and the page sends again; the browser logs
 * each of them to its console.
 */
const REFUSALS = [
  [/\/api\/v1\//, /\b429\b/],
  [/\/dashboard\/(operator\/)?session$/, /\b40[013]\b/],
  [/\/api\/v1\/folders(\?|$)/, /\b(401|409)\b/],
  [/\/api\/v1\/links\/\w+$/, /\b400\b/],
  [/\/api\/v1\/codes$/, /\b409\b/],
  [/\/api\/v1\/links\/imports\?/, /\b400\b/],
  [/\/api\/v1\/batches\/preview\?/, /\b400\b/],
  [/\/api\/v1\/rule-sets\/[\w-]+$/, /\b409\b/],
  [/\/api\/v1\/domains(\/[\w.]+)?$/, /\b40[09]\b/],
  [/\/api\/v1\/(resolver\/items|counters\/|keys$)/, /\b400\b/],
  [/\/(api\/v1\/(codes\/[\w-]+\/image|qr\/file)|dashboard\/(check|preview))\?/, /\b400\b/],
  [/\/api\/v1\/batches\/[\w-]+\/reprints$/, /\b400\b/],
] as const;

const isExpected = (error: string): boolean => {
  const [, status = '', url = ''] =
    /^Failed to load resource: .*status of (\d+).*\((\S+)\)$/.exec(error) ?? [];
  return REFUSALS.some(([where, statuses]) => where.test(url) && statuses.test(status));
};

export const signIn = async (page: Page, key: string, heading = 'Home'): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
};

export const signInOperator = async (page: Page, token = ADMIN_TOKEN): Promise<void> => {
  await page.goto('/dashboard/operator');
  await page.getByLabel('Admin token').fill(token);
  // Leaving the page before the answer would prevent the sign-in.
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/operator/session') && response.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Sign in' }).click();
  await answered;
};

/** @param more Further variables of the gateway. */
export const startDashboard = async (
  scope: TestScope,
  more: Readonly<Record<string, string>> = {},
): Promise<TestDashboard> => {
  const databaseUrl = await realDatabaseUrl();
  const env = { DATABASE_URL: databaseUrl, ADMIN_TOKEN, RESOLVER: 'on', ...more };
  const [{ url }, browser] = await Promise.all([startGateway(scope, env), startBrowser(scope)]);

  const api: TestDashboard['api'] = async (key, method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };

  const visitor: TestDashboard['visitor'] = async (options) => {
    const { page, errors } = await openPage(browser, { ...options, baseURL: url });
    return {
      page,
      faults: () => errors.filter((error) => !isExpected(error)),
      leave: () => page.context().close(),
    };
  };

  const signedIn: TestDashboard['signedIn'] = async (key, options) => {
    const opened = await visitor(options);
    await opened.page.goto('/dashboard');
    await signIn(opened.page, key);
    return opened;
  };

  return {
    url,
    databaseUrl,
    api,
    visitor,
    signedIn,
    async account(scopes, plan = 'pro', wanted = {}) {
      const body = { name: 'Café Aurora', plan, ...wanted };
      const account = await api(ADMIN_TOKEN, 'POST', '/admin/v1/accounts', body);
      const path = `/admin/v1/accounts/${account.id}/keys`;
      return (await api(ADMIN_TOKEN, 'POST', path, { name: 'For the dashboard', scopes })).key;
    },
    async open(scope, key, options) {
      const { page, faults, leave } = await signedIn(key, options);
      scope.teardown(async () => {
        const found = faults();
        await leave();
        if (found.length > 0) throw new Error(`errors in the browser: ${found.join('\n')}`);
      });
      return page;
    },
  };
};

/** Saves a picture once everything is loaded, as `.tap/screenshots/<name>.png`. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
};

/** Takes a picture of an intermediate step, when the environment has SHOTS=1: no test compares pictures. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (process.env.SHOTS === '1') await takePicture(page, name);
};

interface AxeRule {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const AXE_SOURCE = readFileSync(AXE, 'utf8');

/**
 * Describes what axe-core rates serious or critical on the page once it is loaded.
 *
 * @param rules The rules to check; all of them by default.
 */
export const graveFaults = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  await page.waitForLoadState('networkidle');
  return graveFaultsNow(page, rules);
};

/** The same without waiting for requests to finish. */
export const graveFaultsNow = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE_SOURCE);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) });
  const found: AxeRule[] = await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
};

/** Opens a screen by its path below `/dashboard/`. */
export const go = async (page: Page, screen: string): Promise<void> => {
  await page.goto(`/dashboard/${screen}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

/** Opens the folders as a person does, without loading the page again. */
export const toFolders = async (page: Page): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click();
  await page.getByRole('navigation', { name: 'Codes' }).getByRole('link', { name: 'Folders' }).click();
};

/** Returns the file that an action downloads. */
export const downloaded = async (page: Page, act: () => Promise<void>) => {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
};

/** Returns the file that the open dialog of downloads saves. */
export const downloadedFile = (page: Page) =>
  downloaded(page, () =>
    page
      .getByRole('dialog', { name: /^Download/ })
      .getByRole('button', { name: /download$/i })
      .click(),
  );

/** Whether anything is wider than the window. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Takes a picture of a step, and expects no serious accessibility fault and nothing wider than the window. */
export const inspect = async (t: Test, page: Page, name = ''): Promise<void> => {
  if (name !== '') await shoot(page, name);
  t.strictSame(await graveFaults(page), [], name);
  t.notOk(await isTooWide(page), name);
};

export const hasFocus = async (page: Page, element: Locator): Promise<boolean> =>
  (await element.and(page.locator(':focus')).count()) === 1;

/** Presses a key, Tab by default, until the element has the focus. */
export const tabTo = async (page: Page, element: Locator, presses = 'Tab'): Promise<void> => {
  await element.waitFor();
  for (let pressed = 0; pressed < 80; pressed += 1) {
    if (await hasFocus(page, element)) return;
    await page.keyboard.press(presses);
  }
  throw new Error(`the Tab key never reaches ${element}`);
};
