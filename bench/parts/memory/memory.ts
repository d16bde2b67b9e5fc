import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../../test/servers/account.ts';
import { MUCH_FREE_WORK } from '../../../test/servers/gateway-process.ts';
import type { Scope } from '../../../test/servers/scope.ts';
import { ADMIN_TOKEN, type Backends, startBackends, startGateway } from '../../../test/servers/testbed.ts';
import { rssBytes } from '../../cpu.ts';
import { say, show, tableOf } from '../../say.ts';
import { atMost, type Verdict } from '../../verdict.ts';
import { openOn } from '../databases.ts';
import { createCaller } from '../neighbours/caller.ts';
import type { Part } from '../part.ts';
import { createOwner, type Owner } from './accounts.ts';
import { BOUNDS_MB } from './bounds.ts';
import { crowd, headOf, type Statuses } from './crowd.ts';
import { OF_FIRST, READERS } from './readers.ts';
import { SENDERS } from './senders.ts';

/** So many that their streams take all places of a gateway. */
const OWNERS = 20;
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
  sent(n: number, owners: readonly Owner[]): readonly (string | Buffer)[];
}

const LINES: readonly Line[] = [
  ...Object.entries(READERS).map(
    ([name, sent]): Line => ({
      ...{ name: `${STALLED} readers of ${name}`, kind: 'readers', count: STALLED },
      sent: (n, owners) => sent(owners[OF_FIRST.has(name) ? 0 : n % owners.length]!),
    }),
  ),
  ...Object.entries(SENDERS).map(
    ([name, sent]): Line => ({
      ...{ name: `${STALLED} senders of ${name}`, kind: 'senders', count: STALLED },
      sent: (n, owners) => sent(owners[n % owners.length]!),
    }),
  ),
  {
    ...{ name: `${IDLE} idle connections`, kind: 'connections', count: IDLE },
    sent: () => [headOf('GET /healthz', null)],
  },
  {
    ...{ name: `${IDLE} connections with half a head`, kind: 'connections', count: IDLE },
    sent: () => [HALF_HEAD],
  },
];

interface Memory {
  readonly line: Line;
  readonly beforeMb: number;
  readonly highestMb: number;
  readonly afterMb: number;
  readonly statuses: Statuses;
  /** Calls of another account, and those of them that were refused. */
  readonly others: { readonly calls: number; readonly refused: Statuses };
}

const counts = (statuses: Statuses): string => JSON.stringify(statuses).replaceAll('"', '');

const mbOf = (pid: number): number => rssBytes(pid) / 1e6;

/** Makes small calls of an account one after the other until the returned function is called. */
const callMeanwhile = (url: string, key: string) => {
  const caller = createCaller({ url, key });
  const refused: Record<number, number> = {};
  let [calls, hasEnded] = [0, false];
  const table = 'key,rel,href,title\n(8004)0614141,gs1:pip,https://a.example/,Juice';
  const run = async (): Promise<void> => {
    while (!hasEnded) {
      const answers = [
        await caller.send('POST', '/api/v1/qr', { body: { data: `${calls}` } }),
        await caller.send('GET', '/api/v1/resolver/items.csv'),
        await caller.send('POST', '/api/v1/resolver/items/import', {
          ...{ body: table, headers: { 'content-type': 'text/csv' } },
        }),
        await caller.send('POST', '/api/v1/batches/preview', {
          ...{ body: 'data\n1', headers: { 'content-type': 'text/csv' } },
        }),
      ];
      for (const { status } of answers) if (status >= 400) refused[status] = (refused[status] ?? 0) + 1;
      calls += answers.length;
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

const measure = async (
  scope: Scope,
  backends: Backends,
  env: Readonly<Record<string, string>>,
  { line, owners, other }: { readonly line: Line; readonly owners: readonly Owner[]; readonly other: string },
): Promise<Memory> => {
  const { url, pid, stop } = await startGateway(scope, backends, { database: 'memory', env });
  const beforeMb = mbOf(pid);
  let highestMb = beforeMb;
  const samples = setInterval(() => {
    highestMb = Math.max(highestMb, mbOf(pid));
  }, SAMPLE_MS);
  const endCalls = callMeanwhile(url, other);
  const stalled = await crowd(url, line.count, (n) => line.sent(n, owners));
  // Nothing more is answered once every connection waits for its client.
  for (let [waitedMs, last] = [0, '']; waitedMs < ANSWERED_MAX_MS; waitedMs += HELD_MS) {
    await sleep(HELD_MS);
    if (counts(stalled.statuses()) === last) break;
    last = counts(stalled.statuses());
  }
  const [statuses, others] = [stalled.statuses(), await endCalls()];
  stalled.end();
  clearInterval(samples);
  await sleep(FREED_MS);
  const afterMb = mbOf(pid);
  await stop();
  return { line, beforeMb, highestMb, afterMb, statuses, others };
};

/** Memory of a gateway with many connections that do nothing. */
export const memory: Part = {
  about: `the memory of a gateway, and refusals of another account's calls, beside ${STALLED} readers of each large answer who have stopped, ${STALLED} senders of each kind of body who have stopped, and ${IDLE} connections that are idle or have sent half a head; --only those whose name has a text`,
  async run(scope, { only }) {
    const backends = await startBackends(scope);
    const DATABASE_URL = await backends.postgres.createDatabase('memory');
    const env = {
      ...{ DATABASE_URL, REDIS_URL: backends.redis.url, GATEWAYS: '1' },
      ...{ RATE_LIMIT_PER_SECOND: '0', FREE_WORK_MS_PER_SECOND: MUCH_FREE_WORK },
    };
    const first = await startGateway(scope, backends, { database: 'memory', env });
    const { sql } = await openOn(scope, DATABASE_URL);
    const owners: Owner[] = [];
    const wanted = LINES.filter(({ name }) => (only ?? '').split(',').some((text) => name.includes(text)));
    const hasReaders = wanted.some(({ kind }) => kind === 'readers');
    const needed = wanted.every(({ kind }) => kind === 'connections') ? 0 : OWNERS;
    for (let n = 0; n < needed; n += 1) owners.push(await createOwner(first.url, sql, n, hasReaders));
    const { key: other } = await createAccount(first.url, ADMIN_TOKEN, 'another');
    await first.stop();
    say(`${needed} accounts are filled; ${wanted.length} lines`);

    const all: Memory[] = [];
    for (const line of wanted) {
      const one = await measure(scope, backends, env, { line, owners, other });
      all.push(one);
      say(`${line.name}: ${(one.highestMb - one.beforeMb).toFixed(0)} MB ${counts(one.statuses)}`);
    }
    show(
      tableOf(all, [
        ['connections', ({ line }) => line.name],
        ['MB before', ({ beforeMb }) => beforeMb],
        ['highest', ({ highestMb }) => highestMb],
        ['after', ({ afterMb }) => afterMb],
        ['answers', ({ statuses }) => counts(statuses)],
        ["another's calls", ({ others }) => others.calls],
        ['refused', ({ others }) => counts(others.refused)],
      ]),
    );
    return all.flatMap(({ line, beforeMb, highestMb, others }): readonly Verdict[] => [
      atMost(
        `${line.name}: memory above that at the start`,
        highestMb - beforeMb,
        BOUNDS_MB[line.kind],
        'MB',
      ),
      atMost(
        `${line.name}: refused calls of another account`,
        Object.values(others.refused).reduce((sum, count) => sum + count, 0),
        0,
        '',
      ),
    ]);
  },
};
