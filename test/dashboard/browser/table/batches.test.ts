/** Sending and following batches, in a real browser against the built gateway. */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { downloaded, go, graveFaultsNow, inspect, isTooWide, shoot, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);

const csv = (rows: number, cells = (row: number) => `https://example.com/${row},true,A-${row}`): string =>
  `data,dynamic,external_id\n${Array.from({ length: rows }, (_, i) => `${cells(i + 1)}\n`).join('')}`;

const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

const state = (page: Page, name: string) => page.locator('.page-title .chip', { hasText: name });

const sendByApi = async (key: string, body: string, query = ''): Promise<string> => {
  const answer = await fetch(`${dashboard.url}/api/v1/batches?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body,
  });
  if (answer.status !== 202) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
};

t.test('a new batch is made from packed NDJSON with a preset, a design and two formats', async (t) => {
  const key = await dashboard.account();
  const preset = { name: 'Wide', options: { width: 640, height: 640 }, is_default: true };
  await dashboard.api(key, 'POST', '/api/v1/presets', preset);
  const page = await dashboard.open(t, key);
  await go(page, 'batches');
  await page.getByText('Make thousands of codes from one file').waitFor();
  await inspect(t, page, 'batches-empty');
  await page.getByRole('link', { name: 'New batch' }).click();
  await page.locator('#table-file').setInputFiles(file('notes.doc', 'x'));
  await page.getByText('“notes.doc” is not a known type of file.').waitFor();
  const rows = Array.from({ length: 40 }, (_, i) => JSON.stringify({ data: `Seat ${i}`, name: `Seat ${i}` }));
  await page.locator('#table-file').setInputFiles(file('seats.ndjson.gz', gzipSync(`${rows.join('\n')}\n`)));
  await page.getByText('40 rows', { exact: false }).first().waitFor();
  await page.getByLabel('Folder created if it does not exist').fill('Café seats ✓');
  await page.getByText('SVG', { exact: true }).click();
  await page.getByLabel('Preset').getByText('Wide (default)').waitFor({ state: 'attached' });
  await page.getByText('Size, colours, logo and all other options').click();
  await until(
    async () =>
      (await page
        .getByRole('region', { name: 'Design' })
        .getByLabel(/^Width/)
        .inputValue()) === '640',
  );
  await page.getByRole('button', { name: 'Harbour' }).click();
  await shoot(page, 'batch-new');
  await page.getByRole('button', { name: /^Make / }).click();
  await state(page, 'Done').waitFor({ timeout: 60_000 });
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Café seats ✓');
  const { data } = await dashboard.api(key, 'GET', '/api/v1/batches');
  t.match(data[0], { rows: 40, made: 40, formats: ['png', 'svg'], grades: [0, 0, 0, 0, 40] });
  const codes = await dashboard.api(key, 'GET', `/api/v1/folders/${data[0]!.folder_id}/codes`);
  const code = await dashboard.api(key, 'GET', `/api/v1/codes/${codes.data[0]!.id}`);
  t.match(code, { width: 640, design: { dotsOptions: { type: 'rounded', color: '#1a4b8c' } } });
});

t.test('invalid rows are shown with their ids, and cost nothing', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key);
  const cells = (row: number) => (row % 10 === 5 ? `mailto:a@b.example,true,A-${row}` : `x${row},,A-${row}`);
  await go(page, `batches/${await sendByApi(key, csv(1500, cells))}`);
  await state(page, 'Failed').waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: '150 rows with errors' }).waitFor();
  const rows = page.locator('.errors tbody tr');
  await rows.nth(49).waitFor();
  t.equal(await page.getByText(/150/).count(), 1, 'how many is said once');
  t.equal(await rows.count(), 50);
  t.match(await rows.nth(1).textContent(), /16A-15data.*http/);
  await page.getByRole('button', { name: 'Show 50 more' }).click();
  await rows.nth(99).waitFor();
  await inspect(t, page, 'batch-failed');
  const errors = await downloaded(page, () => page.getByRole('link', { name: 'Download errors' }).click());
  t.equal(String(errors.bytes).trim().split('\n').length, 150);
  t.equal((await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count, 0);
});

t.test('a running batch is cancelled after a confirmation', async (t) => {
  const key = await dashboard.account(undefined, 'pro', { monthly_quota: 60_000 });
  const page = await dashboard.open(t, key);
  const id = await sendByApi(key, csv(60_000), 'folder_name=Stickers&formats=png,svg,pdf,eps');
  await go(page, `batches/${id}`);
  await state(page, 'Making').waitFor({ timeout: 60_000 });
  await page.getByText(/About .* left/).waitFor();
  await shoot(page, 'batch-running');
  await page.getByRole('link', { name: 'Batches', exact: true }).last().click();
  await page.locator('.chip.live').waitFor();
  await shoot(page, 'batches-running');
  await page.getByRole('link', { name: 'Stickers' }).click();

  await page.getByRole('button', { name: 'Cancel' }).click();
  await inspect(t, page, 'batch-cancel');
  await page.keyboard.press('Escape');
  t.equal(await page.getByRole('dialog').count(), 0, 'Escape keeps it running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the batch' }).click();
  await state(page, 'Cancelled').waitFor({ timeout: 60_000 });
  const [batch] = (await dashboard.api(key, 'GET', '/api/v1/batches')).data;
  t.equal((await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count, batch!.made);
  t.equal(batch!.made + batch!.refunded, 60_000);
  await shoot(page, 'batch-cancelled');
});

/** A batch of a million rows, as the API would show it. */
const MILLION = {
  id: '0b6f1d5e-6a53-4d38-9d0f-2f1f4b6a7c11',
  state: 'running',
  reason: null,
  folder_id: '7d9f1d5e-6a53-4d38-9d0f-2f1f4b6a7c12',
  folder_name: 'Cup sleeves, spring',
  formats: ['png', 'svg'],
  on_error: 'skip',
  rows: 1_000_000,
  errors: 12,
  made: 137_412,
  failed: 12,
  refunded: 0,
  grades: [12, 140, 2260, 15_000, 120_000],
  position: null,
  remaining_s: 395,
  created_at: '2026-11-23T08:00:00.000Z',
  started_at: '2026-11-23T08:01:00.000Z',
  finished_at: null,
  expires_at: '2026-11-30T08:00:00.000Z',
};
const PARTS = [1, 2].map((n) => ({ n, codes: 50_000, bytes: 31_400_000 + n, sha256: `${n}`.repeat(64) }));
const ERRORS = Array.from({ length: 12 }, (_, i) => ({
  row: 4009 + 7 * i,
  file_row: 4010 + 7 * i,
  external_id: i % 3 === 0 ? null : `A-${4010 + 7 * i}`,
  field: 'image',
  message: 'https://example.com/logo.png: answers with 404',
}));

/** Answers the page's requests for that batch, and counts those for the batch itself. */
const pretend = async (page: Page, batch: () => { status: number; json: object }) => {
  const path = `**/api/v1/batches/${MILLION.id}`;
  let asked = 0;
  await page.route(path, async (route) => {
    asked += 1;
    await route.fulfill(batch());
  });
  await page.route(`${path}/parts`, (route) => route.fulfill({ json: { data: PARTS } }));
  await page.route(`${path}/errors`, (route) =>
    route.fulfill({ body: ERRORS.map((each) => `${JSON.stringify(each)}\n`).join('') }),
  );
  return { asked: () => asked };
};

for (const width of ['phone', 'desktop'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    t.test(`a running batch offers the files made so far, on a ${width}, ${colorScheme}`, async (t) => {
      const key = await dashboard.account();
      const page = await dashboard.open(t, key, { width, colorScheme });
      await pretend(page, () => ({ status: 200, json: MILLION }));
      await page.goto(`/dashboard/batches/${MILLION.id}`);
      await page.getByText('About 7 min left.').waitFor();
      await page.getByText('2 of 20 ZIP files so far.').waitFor();
      await page.getByText('A-4017').waitFor();
      const link = page.getByRole('link', { name: 'Download part 2' });
      t.match(await link.getAttribute('href'), new RegExp(`/batches/${MILLION.id}/parts/2$`));
      await inspect(t, page, `batch-million-${width}-${colorScheme}`);
      await page.goto('/dashboard/table');
      await page.locator('#table-file').waitFor({ state: 'attached' });
      t.notOk(await isTooWide(page));
      await shoot(page, `batch-new-${width}-${colorScheme}`);
      await page.locator('#table-file').setInputFiles(file('cups.csv', csv(20)));
      await page.getByText('Costs 20 units').waitFor();
      await inspect(t, page, `batch-form-${width}-${colorScheme}`);
    });
  }
}

t.test('the page polls ever more rarely, not while hidden, and continues after an outage', async (t) => {
  const key = await dashboard.account();
  const { page, leave } = await dashboard.signedIn(key);
  let answer: { status: number; json: object } = { status: 200, json: MILLION };
  await page.clock.install();
  const { asked } = await pretend(page, () => answer);
  await page.goto(`/dashboard/batches/${MILLION.id}`);
  const headline = page.getByText('About 7 min left.');
  await headline.waitFor();
  /** Lets time pass in the page, in steps that leave room for answers. */
  const pass = async (seconds: number): Promise<number> => {
    const before = asked();
    for (let step = 0; step < seconds; step += 1) {
      await page.clock.runFor(1000);
      await page.evaluate(
        'new Promise((resolve) => { const c = new MessageChannel(); c.port1.onmessage = resolve; c.port2.postMessage(0); })',
      );
    }
    return asked() - before;
  };
  const early = await pass(60);
  const late = await pass(60);
  t.ok(early >= 5 && early <= 12, `${early} requests in the first minute`);
  t.ok(late >= 3 && late <= 5, `${late} in the second`);

  const hide = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${hidden ? 'hidden' : 'visible'}' }); dispatchEvent(new Event('visibilitychange'))`,
    );
  await hide(true);
  // A request just before may be counted a moment later.
  await pass(5);
  t.equal(await pass(60), 0, 'none while it is hidden');
  const before = asked();
  await hide(false);
  // The request may come before the first second has passed, so the total is compared, not that of an interval.
  await pass(2);
  await until(async () => asked() > before);

  answer = { status: 503, json: { error: 'Service unavailable', details: 'try again later' } };
  await pass(5);
  await page.getByRole('alert').getByText('Service unavailable').waitFor();
  t.ok(await headline.isVisible(), 'the last known state stays');
  answer = { status: 200, json: { ...MILLION, remaining_s: 30 } };
  await pass(15);
  await page.getByText('About 30 s left.').waitFor();
  t.equal(await page.getByRole('alert').filter({ hasText: 'Service' }).count(), 0);

  answer = { status: 404, json: { error: 'Not found', details: 'there is no such batch' } };
  await pass(15);
  await page.getByRole('alert').getByText('Not found').waitFor();
  await pass(5);
  t.equal(await pass(60), 0, 'a batch that does not exist is not requested again');
  answer = { status: 401, json: { error: 'Unauthorized', details: '' } };
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Your session has ended').waitFor();
  await leave();
});

t.test('an upload shows its progress, can be stopped, and is sent again under the same key', async (t) => {
  const key = await dashboard.account();
  const { page, leave } = await dashboard.signedIn(key);
  await go(page, 'table');
  const name = 'x'.repeat(150);
  const rows = csv(6000, (row) => `https://example.com/${name}/${row},true,A-${row}`);
  await page.locator('#table-file').setInputFiles(file('slow.csv', rows));
  await page.getByText('Costs 6,000 units').waitFor();
  const network = await page.context().newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput,
    });
  await throttle(60_000);
  const start = page.getByRole('button', { name: /^Make / });
  await start.click();
  await page.getByText(/^[1-9]\d? %|^[1-9]\d?%/).waitFor();
  await page.getByText('Uploading. Keep this page open.').waitFor();
  t.strictSame(await graveFaultsNow(page), []);
  await page.getByRole('button', { name: 'Stop' }).click();
  await start.waitFor();
  const batches = async () => (await dashboard.api(key, 'GET', '/api/v1/batches')).data.length;
  await until(async () => (await batches()) === 0);
  await throttle(-1);

  const keys: string[] = [];
  await page.route('**/api/v1/batches?*', async (route) => {
    keys.push((await route.request().headerValue('idempotency-key')) ?? '');
    if (keys.length > 1) return route.continue();
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { error: 'Service overloaded', details: 'try again' },
    });
  });
  await start.click();
  await page.getByRole('alert').getByText('Service overloaded').waitFor();
  await start.click();
  await page.waitForURL(/\/dashboard\/batches\/[\w-]{36}$/);
  t.equal(keys.length, 2);
  t.equal(keys[0], keys[1]);
  await leave();
});
