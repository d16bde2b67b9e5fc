/** The process from outside: starts, the first start's greeting, signals, kills, the log. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { slowItems } from './faults/stack.ts';
import {
  type GatewayProcess,
  runGateway,
  SERVER,
  signalGroup,
  startGateway,
} from './servers/gateway-process.ts';
import type { TestScope } from './servers/server-process.ts';
import { startGatewayWithKey } from './support/app/gateway-with-key.ts';
import { PHONE_BROWSER } from './support/browser/phone-browser.ts';
import { embeddedFolder, realDatabaseUrl } from './support/database/database.ts';

const emptyFolder = async (scope: TestScope): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-start-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const post = (url: string, token: string, body: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

t.test('the first start', async (t) => {
  const dataDir = await emptyFolder(t);
  const startedMs = performance.now();
  const gateway = await startGateway(t, { DATA_DIR: dataDir });
  t.comment(`ready after ${Math.round(performance.now() - startedMs)} ms`);
  const output = gateway.output();
  const key = /tsr_[0-9A-Za-z]{38}/.exec(output)?.[0] ?? '';

  t.test('says what it waits for, and prints a key and a curl command for each endpoint', async (t) => {
    t.match(output, `Opening the embedded database in ${dataDir}`);
    for (const path of ['/api/v1/qr', '/api/v1/qr/bulk', '/api/v1/render']) {
      t.match(output, `${gateway.url}${path}`);
    }
    const answer = await post(`${gateway.url}/api/v1/qr`, key, { data: 'x' });
    t.equal(answer.status, 200);
  });

  t.test('writes lines of JSON, what it tells people among them, where there is no terminal', (t) => {
    const lines = output.split('\n').slice(0, -1);
    for (const line of lines) t.match(JSON.parse(line), { level: Number, time: Number, msg: String });
    t.ok(lines.length > 2);
    t.end();
  });

  t.test('keeps an admin token that only its owner can read', async (t) => {
    const path = join(dataDir, 'admin-token');
    t.equal((await stat(path)).mode & 0o777, 0o600);
    const token = (await readFile(path, 'utf8')).trim();
    const accounts = await fetch(`${gateway.url}/admin/v1/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    t.match(await accounts.json(), { data: [{ name: 'demo', plan: 'pro' }], next_cursor: null });
  });

  t.test('a second gateway on the same folder is refused in one line', async (t) => {
    const { code, output } = await runGateway(t, { DATA_DIR: dataDir });
    t.equal(code, 1);
    const complaint = output.split('\n').filter((line) => line.startsWith('Tessera cannot start'));
    t.equal(complaint.length, 1, output);
    t.match(complaint[0], dataDir);
  });

  t.test('SIGTERM ends it with 0, and the next start prints no key and is quick', async (t) => {
    gateway.process.kill('SIGTERM');
    t.equal(await gateway.ended, 0);
    const againMs = performance.now();
    const again = await startGateway(t, { DATA_DIR: dataDir });
    t.comment(`ready again after ${Math.round(performance.now() - againMs)} ms`);
    t.notMatch(again.output(), /tsr_[0-9A-Za-z]{38}/);
    t.equal((await post(`${again.url}/api/v1/qr`, key, { data: 'x' })).status, 200);
  });
});

t.test('a wrong environment stops the start with a line for each fault', async (t) => {
  const { code, output } = await runGateway(t, { PORT: '99999', RENDER_THREADS: 'many', LOG_LEVEL: 'loud' });
  t.equal(code, 1);
  const lines = output.trim().split('\n');
  t.equal(lines.length, 3, output);
  for (const name of ['PORT', 'RENDER_THREADS', 'LOG_LEVEL']) {
    t.ok(
      lines.some((line) => line.startsWith(`${name}: must be `) && line.includes(`for example ${name}=`)),
      name,
    );
  }
});

t.test('a database that does not answer stops the start in one line', async (t) => {
  const { code, output } = await runGateway(t, { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
  t.equal(code, 1);
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  t.equal(lines.length, 1, output);
  t.notMatch(output, 'secret');
});

/** Sends a batch that is drawn for a second or more; resolves when it has begun. */
const beginBatch = async ({ url, key }: GatewayProcess & { readonly key: string }) => {
  const body = { items: slowItems(20, 1000) };
  const sent = post(`${url}/api/v1/qr/bulk`, key, body);
  await sleep(150);
  return {
    async successful(): Promise<number> {
      const answer = await sent;
      const { meta } = (await answer.json()) as { meta: { successful: number } };
      return answer.status === 200 ? meta.successful : 0;
    },
    answered: sent.then(
      () => true,
      () => false,
    ),
  };
};

t.test('a batch under way is answered completely after SIGTERM', async (t) => {
  const gateway = await startGatewayWithKey(t);
  const batch = await beginBatch(gateway);
  gateway.process.kill('SIGTERM');
  t.equal(await batch.successful(), 20);
  t.equal(await gateway.ended, 0);
});

t.test('and after a signal that arrives twice', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const gateway = await startGatewayWithKey(t, {}, { detached: true });
    const batch = await beginBatch(gateway);
    signalGroup(gateway.process, signal);
    await sleep(20);
    signalGroup(gateway.process, signal);
    t.equal(await batch.successful(), 20, signal);
    t.equal(await gateway.ended, 0, signal);
  }
});

t.test('and after Ctrl-C under npm, which passes on a signal that the gateway gets itself', async (t) => {
  const cwd = await emptyFolder(t);
  // The build as it is, which other tests run from a bundle.
  const start = ['exec', process.execPath, '--enable-source-maps', SERVER].join(' ');
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'x', scripts: { start } }));
  const options = { command: ['npm', 'start'] as const, cwd, detached: true };
  const gateway = await startGatewayWithKey(t, { LOG_LEVEL: 'info' }, options);
  const batch = await beginBatch(gateway);
  signalGroup(gateway.process, 'SIGINT');
  t.equal(await batch.successful(), 20);
  await gateway.ended;
});

t.test('a second signal after some seconds ends it at once', async (t) => {
  const env = { DATABASE_URL: await realDatabaseUrl(), SHUTDOWN_GRACE_MS: '60000' };
  const gateway = await startGateway(t, env);
  gateway.process.kill('SIGINT');
  await sleep(500);
  gateway.process.kill('SIGINT');
  await sleep(2500);
  t.equal((await fetch(`${gateway.url}/healthz`)).status, 200, 'one that follows at once does not');
  gateway.process.kill('SIGINT');
  t.equal(await gateway.ended, 'SIGINT');
});

t.test('after kill -9 everything older than a second is there', async (t) => {
  const dataDir = await embeddedFolder(t);
  const gateway = await startGateway(t, { DATA_DIR: dataDir, PUBLIC_URL: 'http://qr.test' });
  const key = /tsr_[0-9A-Za-z]{38}/.exec(gateway.output())![0];
  const items = [{ data: 'https://example.com/kept', dynamic: true }, { data: 'x' }];
  const batch = await post(`${gateway.url}/api/v1/qr/bulk`, key, { items, folderName: 'Kept' });
  const { results, meta } = (await batch.json()) as {
    results: { slug: string }[];
    meta: { folder_id: string; usage_count: number };
  };
  const { slug } = results[0]!;
  const scans = await Promise.all(
    Array.from({ length: 50 }, () =>
      fetch(`${gateway.url}/l/${slug}`, { redirect: 'manual', headers: { 'user-agent': PHONE_BROWSER } }),
    ),
  );
  t.ok(scans.every(({ status }) => status === 302));
  await sleep(1000);
  gateway.process.kill('SIGKILL');
  await gateway.ended;

  const again = await startGateway(t, { DATA_DIR: dataDir, PUBLIC_URL: 'http://qr.test' });
  const link = await fetch(`${again.url}/api/v1/links/${slug}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  t.match(await link.json(), { destination: 'https://example.com/kept', scan_count: scans.length });
  const redirect = await fetch(`${again.url}/l/${slug}`, { redirect: 'manual' });
  t.equal(redirect.headers.get('location'), 'https://example.com/kept');
  const next = await post(`${again.url}/api/v1/qr/bulk`, key, { items: [{ data: 'y' }], folderName: 'Kept' });
  const kept = ((await next.json()) as { meta: typeof meta }).meta;
  t.equal(kept.folder_id, meta.folder_id);
  t.equal(kept.usage_count, meta.usage_count + 1);
});

t.test('no request gets a 5xx or has its key logged', async (t) => {
  const dataDir = await embeddedFolder(t);
  const gateway = await startGateway(t, {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    RATE_LIMIT_PER_SECOND: '0',
    PLAN_PRO_MONTHLY: '1000000',
  });
  const key = /tsr_[0-9A-Za-z]{38}/.exec(gateway.output())![0];
  /** The greeting shows the key once, to people; what follows is the log. */
  const greeting = gateway.output().length;

  const anyText = fc.string({ unit: 'binary', maxLength: 60 });
  const anyValue = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    anyText,
    fc.integer({ min: -10, max: 3000 }),
    fc.constantFrom(
      'square',
      'circle',
      'dots',
      '#fff',
      'red"/>',
      'data:image/png;base64,AAAA',
      'http://127.0.0.1/x',
      key,
    ),
  );
  const options = fc.dictionary(
    fc.constantFrom(
      'type',
      'color',
      'gradient',
      'round',
      'roundSize',
      'typeNumber',
      'mode',
      'segments',
      'eci',
      'boost',
      'imageSize',
      'margin',
      '__proto__',
      'x',
    ),
    anyValue,
    { maxKeys: 3 },
  );
  const picture = fc.record(
    {
      data: fc.oneof(anyText, anyValue),
      width: fc.oneof(fc.integer({ min: 40, max: 400 }), anyValue),
      height: fc.oneof(fc.integer({ min: 40, max: 400 }), anyValue),
      margin: fc.oneof(fc.integer({ min: -1, max: 110 }), anyValue),
      shape: anyValue,
      image: anyValue,
      dynamic: fc.oneof(fc.boolean(), anyValue),
      qrOptions: fc.oneof(options, anyValue),
      dotsOptions: fc.oneof(options, anyValue),
      imageOptions: fc.oneof(options, anyValue),
      backgroundOptions: fc.oneof(options, anyValue),
      cornersSquareOptions: fc.oneof(options, anyValue),
      cornersDotOptions: fc.oneof(options, anyValue),
    },
    { requiredKeys: [] },
  );
  /** What is right in every field, so that codes are made too. */
  const legal = fc.record(
    {
      data: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      width: fc.integer({ min: 200, max: 400 }),
      height: fc.integer({ min: 200, max: 400 }),
      shape: fc.constantFrom('square', 'circle'),
      dotsOptions: fc.record({
        type: fc.constantFrom('square', 'dots', 'classy'),
        color: fc.constantFrom('#123', 'navy'),
      }),
      backgroundOptions: fc.record({ round: fc.double({ min: 0, max: 1, noNaN: true }) }),
    },
    { requiredKeys: ['data'] },
  );
  const json = (value: unknown): string => {
    try {
      return JSON.stringify(value) ?? '';
    } catch {
      return '{';
    }
  };
  const statuses: Record<number, number> = {};
  const seen = async (answer: Response): Promise<void> => {
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const text = await answer.text();
    if (answer.status >= 500) throw new Error(`${answer.status}: ${text}`);
  };
  const send = (path: string, body: string | Uint8Array, method = 'POST') =>
    fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body as string,
    });

  t.test('bodies', async () => {
    const bodies = fc.oneof(
      { weight: 6, arbitrary: picture.map(json) },
      { weight: 3, arbitrary: legal.map(json) },
      { weight: 2, arbitrary: fc.uint8Array({ maxLength: 100 }) },
      { weight: 1, arbitrary: anyText },
      { weight: 1, arbitrary: fc.json() },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => seen(await send('/api/v1/qr', body))),
      { numRuns: 400 },
    );
    const batches = fc.record(
      {
        items: fc.oneof(fc.array(picture, { maxLength: 5 }), anyValue),
        folderName: anyValue,
        folderId: anyValue,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (body) => seen(await send('/api/v1/qr/bulk', json(body)))),
      { numRuns: 300 },
    );
  });

  t.test('what the account owns', async () => {
    const { results, meta } = (await (
      await send('/api/v1/qr/bulk', json({ items: [{ data: 'https://example.com', dynamic: true }] }))
    ).json()) as { results: { slug: string }[]; meta: { folder_id: string } };
    const folder = `/api/v1/folders/${meta.folder_id}`;
    const link = `/api/v1/links/${results[0]!.slug}`;
    const writes = fc.constantFrom(
      ...([
        ['POST', '/api/v1/folders'],
        ['PATCH', folder],
        ['PATCH', link],
        ['POST', '/api/v1/keys'],
      ] as const),
    );
    const body = fc.record(
      {
        name: fc.oneof(anyText, anyValue),
        destination: fc.oneof(fc.webUrl(), anyText, anyValue),
        scopes: fc.oneof(fc.array(fc.constantFrom('generate', 'render', 'x')), anyValue),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(writes, body, async ([method, path], value) =>
        seen(await send(path, json(value), method)),
      ),
      { numRuns: 300 },
    );
    const reads = fc.constantFrom(
      ...['/api/v1/folders', `${folder}/codes`, '/api/v1/keys', link, `${link}/history`, `${link}/scans`],
    );
    const value = fc.oneof(anyText, fc.date().map(String), fc.integer().map(String), fc.constant('day'));
    const query = fc.dictionary(
      fc.constantFrom('cursor', 'limit', 'from', 'to', 'interval', 'timeZone', 'search', 'x'),
      value.map((text) => text.toWellFormed()),
    );
    await fc.assert(
      fc.asyncProperty(reads, query, async (path, pairs) => {
        const headers = { authorization: `Bearer ${key}` };
        await seen(await fetch(`${gateway.url}${path}?${new URLSearchParams(pairs)}`, { headers }));
      }),
      { numRuns: 300 },
    );
  });

  t.test('paths, queries and headers', async () => {
    const raw = fc.oneof(
      anyText,
      fc.string({ unit: fc.constantFrom('%', 'f', '0', '&', '=', '#', '?', '/', '.', '+', 'a') }),
    );
    const query = fc.array(fc.tuple(fc.constantFrom('content', 'width', 'dark', 'light', 'x', 'key'), raw), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(query, fc.boolean(), async (pairs, encoded) => {
        const text = encoded
          ? pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
          : pairs.map(([name, value]) => `${name}=${value.replace(/[^\x21-\x7e]/g, '')}`).join('&');
        await seen(await fetch(`${gateway.url}/api/v1/render?key=${key}&${text}`));
      }),
      { numRuns: 400 },
    );
    await fc.assert(
      fc.asyncProperty(raw, async (path) => {
        await seen(
          await fetch(`${gateway.url}/l/${encodeURIComponent(path.toWellFormed())}`, { redirect: 'manual' }),
        );
        await seen(
          await fetch(`${gateway.url}/${path.replace(/[^\x21-\x7e]/g, '')}?key=${key}`, {
            redirect: 'manual',
          }),
        );
      }),
      { numRuns: 200 },
    );
  });

  t.teardown(() => t.comment(`statuses: ${JSON.stringify(statuses)}`));
  t.test('and the process lives, with no key in its log', async (t) => {
    t.equal((await fetch(`${gateway.url}/healthz`)).status, 200);
    t.ok((statuses[200] ?? 0) > 50, `codes were made: ${JSON.stringify(statuses)}`);
    t.ok((statuses[400] ?? 0) > 50, 'faults were told');
    const log = gateway.output().slice(greeting);
    t.ok(log.split('\n').length > 500, 'the log was written');
    t.notMatch(log, /tsr_[0-9A-Za-z]{6}/);
  });
});
