/** The clients behind an edge that drops, cuts and fakes 30 % of all calls: no error, nothing twice, nothing lost. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createClient } from '../../clients/typescript/src/index.ts';
import { freePort } from '../servers/server-process.ts';
import { startApp } from '../support/app/app.ts';
import { findPython } from '../support/python.ts';
import { FAILURES, startFaultyEdge } from './faulty-edge.ts';
import { addressOf } from './typescript/address.ts';

const CALLS = 200;
/** Links of one mass change. */
const GROUP = 10;
const AT_ONCE = 10;
const SOURCES = fileURLToPath(new URL('../../clients/python/src', import.meta.url));
const PROGRAM = fileURLToPath(new URL('python/edge_faults.py', import.meta.url));

/** What a client was answered, by the numbers of its calls. */
interface Told {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  readonly destinations: readonly (string | null)[];
  readonly changes: readonly (string | null)[];
  /** Lengths. */
  readonly files: readonly number[];
  readonly moved: number;
}

const { app, account } = await startApp(t, { PORT: String(await freePort()), RATE_LIMIT_PER_SECOND: '0' });
await app.listen();
const url = addressOf(app);

/** Makes calls, some at once, and returns their results in order. */
const mapCalls = async <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await make(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
};

const inTypeScript = async (edge: string, key: string): Promise<Told> => {
  const client = createClient({ url: edge, key });
  const saved = await mapCalls(CALLS, async (n) => {
    const { data } = await client.saveCode({ body: { data: `https://example.com/${n}`, dynamic: true } });
    return data;
  });
  const slugs = saved.map(({ slug }) => slug!);
  const destinations = await mapCalls(CALLS, async (n) => {
    const body = { destination: `https://example.com/edited/${n}` };
    return (await client.updateLink({ path: { slug: slugs[n]! }, body })).data.destination;
  });
  const changes = await mapCalls(CALLS / GROUP, async (n) => {
    const group = slugs.slice(n * GROUP, (n + 1) * GROUP);
    const body = { slugs: group, change: { active_until: '2050-01-01T00:00:00Z' } };
    return (await client.updateLinks({ body })).data.change_id;
  });
  const files = await mapCalls(CALLS / GROUP, async (n) => {
    const { response } = await client.createFile({ body: { data: `file ${n}` } });
    return (await response.arrayBuffer()).byteLength;
  });
  const ids = saved.map(({ id }) => id);
  const folder = await client.createFolder({ body: { name: 'Moved' } });
  const { data: moved } = await client.moveCodes({ body: { ids, folder_id: folder.data.id } });
  return { ids, slugs, destinations, changes, files, moved: moved.codes };
};

const inPython = async (edge: string, key: string): Promise<Told> => {
  const env = {
    ...{ PATH: process.env.PATH ?? '', PYTHONPATH: SOURCES, PYTHONDONTWRITEBYTECODE: '1' },
    ...{ EDGE_URL: edge, TESSERA_KEY: key, CALLS: String(CALLS) },
  };
  const { stdout } = await promisify(execFile)(findPython() ?? 'python3', [PROGRAM], { env });
  return JSON.parse(stdout) as Told;
};

const check = async (t: Test, run: typeof inPython, seed: number): Promise<void> => {
  const { key } = await account({ credits: 1000 });
  const edge = await startFaultyEdge(t, url, seed);
  const told = await run(edge.url, key);

  const failed = [...edge.failed.values()].reduce((sum, count) => sum + count, 0);
  t.comment(`${failed} failures, ${edge.counts.passed} passed`);
  t.ok(failed / (failed + edge.counts.passed) > 0.25, 'the edge failed often');
  t.strictSame([...edge.failed.keys()].sort(), Object.keys(FAILURES).sort(), 'in every way');

  const client = createClient({ url, key });
  const { data: usage } = await client.getUsage();
  t.equal(usage.usage_count, CALLS + CALLS / GROUP, 'each save and each file has cost one unit');
  const codes: string[] = [];
  for await (const { id } of client.each.listCodes()) codes.push(id);
  t.strictSame(codes.sort(), [...told.ids].sort(), 'no code was saved twice');
  t.equal(new Set(told.ids).size, CALLS);
  const expected = Array.from({ length: CALLS }, (_, n) => `https://example.com/edited/${n}`);
  t.strictSame(told.destinations, expected);
  const found = await mapCalls(CALLS, async (n) => {
    const path = { slug: told.slugs[n]! };
    const { data } = await client.getLink({ path });
    const { data: history } = await client.listLinkChanges({ path });
    return [data.destination, history.data.length, history.data[0]!.change_id];
  });
  t.strictSame(
    found,
    expected.map((destination, n) => [destination, 3, told.changes[Math.floor(n / GROUP)]]),
    'each link leads where it was sent, was changed twice, and the mass change has the id that was answered',
  );
  t.ok(told.files.every((bytes) => bytes > 100));
  t.equal(told.moved, CALLS);
};

t.test('the TypeScript client', (t) => check(t, inTypeScript, 1));
t.test('the Python client', (t) => check(t, inPython, 2));
