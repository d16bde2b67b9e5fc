import { setTimeout as sleep } from 'node:timers/promises';
import { rssBytes } from '../../../bench/cpu.ts';
import { openOn } from '../../../bench/parts/databases.ts';
import type { Part } from '../../../bench/parts/part.ts';
import { atMost, measured, say } from '../../../bench/say.ts';
import { sum } from '../../../bench/stats.ts';
import { createAccount } from '../../servers/account.ts';
import { createCaller, type Sent } from '../../servers/caller.ts';
import { MUCH_FREE_WORK } from '../../servers/gateway-process.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, type Backends, startBackends, startGateway } from '../../servers/testbed.ts';
import { BOUNDS_MB } from './bounds.ts';
import { crowd, headOf, type Pieces, type Statuses } from './crowd.ts';
import { createReader, createSender, type Reader, type Sender } from './owners.ts';
import { READERS } from './readers.ts';
import { SENDERS } from './senders.ts';

/** So many that their streams take all places of a gateway. */
const OWNERS = 20;
/** Answers that only the first account has: the receipts and the pictures take long to make. */
const OF_FIRST = /receipt|bulk call/;
const STALLED = 200;
const IDLE = 10_000;
const SAMPLE_MS = 50;
/** How long connections stay open after they have sent what they send, and how long memory may take to be freed. */
const HELD_MS = 4000;
const ANSWERED_MAX_MS = 30_000;
const FREED_MS = 4000;
const BETWEEN_CALLS_MS = 200;
/** A request head without its end, which Node accepts up to 16 KiB. */
const HALF_HEAD = `GET /healthz HTTP/1.1\r\nhost: bench\r\nx-half: ${'x'.repeat(8000)}`;

interface Line {
  readonly name: string;
  readonly kind: keyof typeof BOUNDS_MB;
  readonly count: number;
  sent(
    n: number,
    owners: { readonly readers: readonly Reader[]; readonly senders: readonly Sender[] },
  ): Pieces;
}

const LINES: readonly Line[] = [
  ...Object.entries(READERS).map(
    ([name, sent]): Line => ({
      ...{ name: `${STALLED} readers of ${name}`, kind: 'readers', count: STALLED },
      sent: (n, { readers }) => sent(readers[OF_FIRST.test(name) ? 0 : n % OWNERS]!),
    }),
  ),
  ...Object.entries(SENDERS).map(
    ([name, sent]): Line => ({
      ...{ name: `${STALLED} senders of ${name}`, kind: 'senders', count: STALLED },
      sent: (n, { senders }) => sent(senders[n % OWNERS]!),
    }),
  ),
  ...Object.entries({
    'idle connections': headOf('GET /healthz', null),
    'connections with half a head': HALF_HEAD,
  }).map(
    ([name, sent]): Line => ({
      ...{ name: `${IDLE} ${name}`, kind: 'connections', count: IDLE },
      sent: () => [sent],
    }),
  ),
];

const counts = (statuses: Statuses): string => JSON.stringify(statuses).replaceAll('"', '');

const CSV = { 'content-type': 'text/csv' };
const ITEM = 'key,rel,href,title\n(8004)0614141,gs1:pip,https://a.example/,Juice';
/** Small calls of another account. */
const CALLS: readonly (readonly ['GET' | 'POST', path: string, sent: Sent])[] = [
  ['POST', '/qr', { body: { data: 'small' } }],
  ['GET', '/resolver/items.csv', {}],
  ['POST', '/resolver/items/import', { body: ITEM, headers: CSV }],
  ['POST', '/batches/preview', { body: 'data\n1', headers: CSV }],
];

/** Makes the calls one after the other until the returned function is called. */
const callMeanwhile = (url: string, key: string) => {
  const caller = createCaller({ url, key });
  const refused: Record<number, number> = {};
  let [calls, hasEnded] = [0, false];
  const run = async (): Promise<void> => {
    while (!hasEnded) {
      for (const [method, path, sent] of CALLS) {
        const { status } = await caller.send(method, `/api/v1${path}`, sent);
        if (status >= 400) refused[status] = (refused[status] ?? 0) + 1;
      }
      calls += CALLS.length;
      await sleep(BETWEEN_CALLS_MS);
    }
  };
  const running = run();
  return async () => {
    hasEnded = true;
    await running;
    await caller.end();
    return { calls, refused };
  };
};

/** Measures a line on a gateway of its own. */
const measure = (
  backends: Backends,
  env: Readonly<Record<string, string>>,
  { count, sent }: Pick<Line, 'count'> & { readonly sent: (n: number) => Pieces },
  other: string,
) =>
  inScope(async (scope) => {
    const { url, pid } = await startGateway(scope, backends, { database: 'memory', env });
    const mb = (): number => rssBytes(pid) / 1e6;
    const beforeMb = mb();
    let highestMb = beforeMb;
    const samples = setInterval(() => {
      highestMb = Math.max(highestMb, mb());
    }, SAMPLE_MS);
    scope.teardown(() => clearInterval(samples));
    const endCalls = callMeanwhile(url, other);
    const stalled = await crowd(url, count, sent);
    // Nothing more is answered once every connection waits for its client.
    for (let [waitedMs, last] = [0, '']; waitedMs < ANSWERED_MAX_MS; waitedMs += HELD_MS) {
      await sleep(HELD_MS);
      if (counts(stalled.statuses()) === last) break;
      last = counts(stalled.statuses());
    }
    const [statuses, others] = [stalled.statuses(), await endCalls()];
    stalled.end();
    const growthMb = highestMb - beforeMb;
    await sleep(FREED_MS);
    return { growthMb, leftMb: mb() - beforeMb, statuses, ...others };
  });

/** Memory of a gateway with many connections that do nothing. */
export const memory: Part<{ readonly only: readonly string[] }> = async (scope, { only }) => {
  const wanted = LINES.filter(({ name }) => only.some((text) => name.includes(text)));
  if (wanted.length === 0) throw new Error(`--only: no line has ${only.join(' or ')} in its name`);
  const backends = await startBackends(scope);
  const DATABASE_URL = await backends.postgres.createDatabase('memory');
  const env = {
    ...{ DATABASE_URL, REDIS_URL: backends.redis.url, GATEWAYS: '1' },
    ...{ RATE_LIMIT_PER_SECOND: '0', FREE_WORK_MS_PER_SECOND: MUCH_FREE_WORK },
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  };
  const first = await startGateway(scope, backends, { database: 'memory', env });
  const { sql } = await openOn(scope, DATABASE_URL);
  const { key: other } = await createAccount(first.url, ADMIN_TOKEN, 'another');
  const makeFor = async <T>(kind: Line['kind'], make: (n: number) => Promise<T>): Promise<readonly T[]> =>
    wanted.some((line) => line.kind === kind)
      ? Promise.all(Array.from({ length: OWNERS }, (_, n) => make(n)))
      : [];
  const owners = {
    readers: await makeFor('readers', (n) => createReader(first.url, sql, n)),
    senders: await makeFor('senders', (n) => createSender(first.url, n)),
  };
  await first.stop();
  say(`the accounts are filled; ${wanted.length} lines`);

  const all = [];
  for (const line of wanted) {
    const sent = (n: number) => line.sent(n, owners);
    const one = { ...line, ...(await measure(backends, env, { ...line, sent }, other)) };
    all.push(one);
    say(
      `${line.name}: ${one.growthMb.toFixed(0)} MB, answers ${counts(one.statuses)}, refused ${counts(one.refused)}`,
    );
  }
  return all.flatMap(({ name, kind, growthMb, leftMb, calls, refused }) => [
    measured(`${name}: memory that is left of it`, leftMb, 'MB'),
    measured(`${name}: calls of another account`, calls, ''),
    atMost(`${name}: memory above that at the start`, growthMb, BOUNDS_MB[kind], 'MB'),
    atMost(`${name}: refused calls of another account`, sum(Object.values(refused)), 0, ''),
  ]);
};
