import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { loopFailures, startLoop } from '../../src/execution/loops.ts';
import type { Log } from '../../src/log.ts';
import { startReaper } from '../../src/quota/loop.ts';
import type { Settle } from '../../src/quota/quota.ts';
import { createBatcher } from '../../src/quota/redis/calls.ts';
import { type AccountChange, parseEntry, sumUp } from '../../src/quota/redis/drain-sums.ts';
import { CLUSTER_KEYS, SERVER_KEYS } from '../../src/quota/redis/keys.ts';
import {
  isIndeterminate,
  ledgerError,
  type OpenReservation,
  parseReservation,
  toLedgerError,
} from '../../src/quota/redis/replies.ts';
import { createMemory, createTakes, shareOut } from '../../src/quota/redis/reservations.ts';
import { connectLedger } from '../../src/quota/redis/scripts.ts';
import { createTurns } from '../../src/quota/redis/turns.ts';
import { createSettler, type SettlerOptions } from '../../src/quota/settler.ts';
import { warnOfEviction, whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis } from '../servers/redis.ts';
import { until } from '../servers/until.ts';
import { silent } from '../support/silent-log.ts';

const recordingLog = () => {
  const lines: string[] = [];
  const note = (_: object, message: string) => {
    lines.push(message);
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  return { log, lines };
};

t.test('the month in Lua is the calendar month', async (t) => {
  const { url } = await startRedis(t);
  const redis = connectLedger(parseRedisUrl(url), 5000, silent);
  t.teardown(() => redis.disconnect());
  await whenReady(redis, 5000);
  const ledger = await readFile(new URL('../../src/quota/redis/lua/ledger.lua', import.meta.url), 'utf8');
  const lua = `${ledger}
    local answers = {}
    for i = 1, #ARGV do
      local period, ends = period_of(ARGV[i] + 0)
      answers[i] = period .. ' ' .. format('%d', ends)
    end
    return answers`;
  const expected = (ms: number) => {
    const day = new Date(ms);
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
    return `${new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)} ${Date.UTC(year, month + 1, 1)}`;
  };
  const edges = Array.from({ length: 3000 }, (_, month) => Date.UTC(1970, month, 1)).flatMap((ms) => [
    ms,
    ms + 1,
  ]);
  const last = edges.slice(2).map((ms) => ms - 2);
  const all = [...edges, ...last];
  for (let i = 0; i < all.length; i += 1000) {
    const some = all.slice(i, i + 1000);
    t.strictSame(await redis.eval(lua, 0, ...some), some.map(expected));
  }
});

t.test('all keys of an account have the same slot', async (t) => {
  const tagOf = (key: string) => /^\{q:\d\d\}/.exec(key)?.[0];
  const seen = new Set<number>();
  for (let i = 0; i < 2000; i += 1) {
    const id = randomUUID();
    const shard = CLUSTER_KEYS.shardOf(id);
    seen.add(shard);
    const { open, stream, alive, account, claim, marker } = CLUSTER_KEYS;
    const shards = [open, stream, alive].map((keyOf) => keyOf(shard));
    const tags = [...shards, account(id), claim(id, 'single', 'a}{b:|c'), marker(id, 'hold', id)].map(tagOf);
    if (new Set(tags).size !== 1) t.fail(tags.join(' '));
    if (SERVER_KEYS.shardOf(id) !== 0) t.fail('one server has one shard');
  }
  t.equal(seen.size, CLUSTER_KEYS.shards, 'all shards are used');
});

t.test('REDIS_URL in its three forms', async (t) => {
  const plain = { tls: false, username: null, password: null, masterName: null, database: 0 };
  t.strictSame(parseRedisUrl('redis://localhost'), {
    ...plain,
    mode: 'single',
    hosts: [{ host: 'localhost', port: 6379 }],
  });
  t.match(parseRedisUrl('rediss://me:a%40b@[::1]:7000/3'), {
    tls: true,
    username: 'me',
    password: 'a@b',
    hosts: [{ host: '::1', port: 7000 }],
    database: 3,
  });
  t.match(parseRedisUrl('redis://:secret@h'), { username: null, password: 'secret' });
  t.match(parseRedisUrl('redis+sentinel://a:1,b/main/2'), {
    mode: 'sentinel',
    hosts: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26379 },
    ],
    masterName: 'main',
    database: 2,
  });
  t.match(parseRedisUrl('redis+cluster://a:1,b:2'), { mode: 'cluster', hosts: [{ port: 1 }, { port: 2 }] });
  for (const wrong of [
    'http://h',
    'redis://',
    'redis://a,b',
    'redis://h/x',
    'redis+sentinel://a',
    'redis+cluster://a/1',
    'redis+other://a',
    'redis://h:port',
  ]) {
    t.throws(() => parseRedisUrl(wrong), /must|is not/, wrong);
  }
});

const USE = { kind: 'bulk', keyId: randomUUID() } as const;
const USE_TEXT = `bulk:${USE.keyId}`;

t.test('the fields of a stream entry are parsed to changes or null', async (t) => {
  const [account, other, grant, hold, back] = Array.from({ length: 5 }, () => randomUUID());
  const value = [
    'epoch--1|2026-11-01|12|3|4',
    `u${USE_TEXT}|2|9|1|4|0|1`,
    'o2026-11-01|5|-1',
    `g${grant}|50`,
    `h${hold}|${USE_TEXT}|7|0`,
    `r${back}`,
  ].join(';');
  t.strictSame(parseEntry([account!, value, other!, 'epoch--2;o2026-11-01|-1|0', other!, 'x']), [
    {
      account,
      epoch: 'epoch--1',
      after: { period: '2026-11-01', monthlyUsed: 12, creditsUsed: 3, credits: 4 },
      uses: [
        {
          use: USE,
          calls: 2,
          monthly: 9,
          credits: 1,
          refundedMonthly: 4,
          refundedCredits: 0,
          refundedLate: 1,
        },
      ],
      opens: [{ period: '2026-11-01', monthly: 5, credits: -1 }],
      moved: [
        { what: 'grant', id: grant, credits: 50 },
        { what: 'hold', id: hold, use: USE, monthly: 7, credits: 0 },
        { what: 'return', id: back },
      ],
    },
    {
      account: other,
      epoch: 'epoch--2',
      after: null,
      uses: [],
      opens: [{ period: '2026-11-01', monthly: -1, credits: 0 }],
      moved: [],
    },
    null,
  ]);
  t.strictSame(parseEntry([account!, `epoch--1;u${USE_TEXT}|1|1|0|0|0|0`]), [null], 'units without counts');
  t.strictSame(parseEntry([account!]), [null]);
  t.strictSame(parseEntry([]), []);
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[ -~]{8}(\|2026-11-01(\|\d{1,4}){3})?(;[uoghr][\w:|-]{0,60}){0,4}$/),
  );
  fc.assert(
    fc.property(fc.array(text), (texts) =>
      parseEntry(texts.flatMap((one) => [account!, one])).every(
        (change) => change === null || change.opens.every(({ monthly }) => Number.isSafeInteger(monthly)),
      ),
    ),
    { numRuns: 500 },
  );
});

t.test('entries are summed up into one row per account', async (t) => {
  const [account, other] = [randomUUID(), randomUUID()];
  const hourMs = Date.parse('2026-11-22T10:00:00Z');
  const used = (units: number, monthly: number): AccountChange => ({
    account,
    epoch: 'epoch--1',
    after: { period: '2026-11-01', monthlyUsed: monthly, creditsUsed: 0, credits: 5 },
    uses: [
      {
        use: USE,
        calls: 1,
        monthly: units,
        credits: 0,
        refundedMonthly: 0,
        refundedCredits: 0,
        refundedLate: 0,
      },
    ],
    opens: [{ period: '2026-11-01', monthly: units, credits: 0 }],
    moved: [],
  });
  const many = Array.from({ length: 1000 }, (_, i) => ({ atMs: hourMs + i, change: used(2, 2 * (i + 1)) }));
  const closed = {
    ...used(0, 0),
    account: other,
    after: null,
    uses: [],
    opens: [{ period: '2026-11-01', monthly: -3, credits: 0 }],
  };
  const sums = sumUp([...many, { atMs: hourMs, change: closed }]);
  t.strictSame(sums.accounts, [
    {
      account,
      period: '2026-11-01',
      monthly: 2000,
      creditsUsed: 0,
      credits: 0,
      openMonthly: 2000,
      openCredits: 0,
      epoch: 'epoch--1',
      after: ['2026-11-01', 2000, 0, 5],
    },
    {
      account: other,
      period: '2026-11-01',
      monthly: 0,
      creditsUsed: 0,
      credits: 0,
      openMonthly: -3,
      openCredits: 0,
      epoch: 'epoch--1',
      after: null,
    },
  ]);
  t.match(sums.usage, [{ account, hourMs, key: USE.keyId, kind: 'bulk', calls: 1000, monthly: 2000 }]);
  t.equal(sums.usage.length, 1);
});

t.test('a new month within a batch resets the monthly counts, but not the credits', async (t) => {
  const account = randomUUID();
  const change = (period: string, monthly: number, credits: number): AccountChange => ({
    account,
    epoch: 'epoch--1',
    after: { period, monthlyUsed: monthly, creditsUsed: credits, credits: 0 },
    uses: [{ use: USE, calls: 1, monthly, credits, refundedMonthly: 0, refundedCredits: 0, refundedLate: 0 }],
    opens: [{ period, monthly, credits }],
    moved: [],
  });
  const atMs = Date.parse('2026-11-30T23:59:59Z');
  const { accounts, usage } = sumUp([
    { atMs, change: change('2026-11-01', 3, 1) },
    { atMs, change: change('2026-12-01', 2, 1) },
  ]);
  t.match(accounts, [
    { period: '2026-12-01', monthly: 2, creditsUsed: 1, credits: -2, openMonthly: 2, openCredits: 2 },
  ]);
  t.strictSame(
    usage.map((one) => new Date(one.hourMs).toISOString()),
    ['2026-11-30T23:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    'an hour never lies in an earlier month than its units',
  );
});

t.test('simultaneous takes share one reservation, each with its own balance', async (t) => {
  const account = randomUUID();
  const reservation = `o${account}|epoch--1|1796083200000|2026-11-01|2|1|2026-11-01|1796083200000|9|9|4|6|${USE_TEXT}|`;
  t.match(shareOut(4, parseReservation(reservation)!), [
    {
      outcome: 'admitted',
      fromMonthly: 1,
      fromCredits: 0,
      balance: { monthlyUsed: 8, credits: 7, usageCount: 11, remaining: 8 },
    },
    {
      outcome: 'admitted',
      fromMonthly: 1,
      fromCredits: 0,
      balance: { monthlyUsed: 9, credits: 7, usageCount: 12, remaining: 7 },
    },
    {
      outcome: 'admitted',
      fromMonthly: 0,
      fromCredits: 1,
      balance: { monthlyUsed: 9, credits: 6, usageCount: 13, remaining: 6 },
    },
    { outcome: 'exhausted', balance: { monthlyUsed: 9, credits: 6, usageCount: 13, remaining: 6 } },
  ]);
  const asked: number[] = [];
  const closed: unknown[] = [];
  const kept = new Map<string, string>();
  const take = createTakes({
    calls: {
      take: async (_, units) => {
        await sleep(1);
        asked.push(units());
        if (asked.length === 2) throw Object.assign(new Error('silent'), { code: 'LEDGER_SILENT' });
        return reservation;
      },
    },
    seeder: { warm: (_, call) => call() },
    keep: (id, { accountId }) => kept.set(id, accountId),
    closeLater: (id, accountId, refundUnits) => {
      t.equal(kept.get(id), refundUnits === 0 ? accountId : undefined, 'unsettled ones are remembered');
      closed.push([accountId, refundUnits]);
    },
  });
  const request = { accountId: account, use: USE };
  const taken = await Promise.all([take(request), take(request), take(request)]);
  t.ok(taken.every(({ outcome }) => outcome === 'admitted'));
  const lost = await Promise.allSettled([take(request), take(request)]);
  t.ok(lost.every(({ status }) => status === 'rejected'));
  t.strictSame(asked, [3, 2], 'one call each, with as many units as takes');
  t.strictSame(
    closed,
    [
      [account, 0],
      [account, 2],
    ],
    'settled, and given back when no answer came',
  );
});

t.test('simultaneous calls become one script run per shard, in order, within limits', async (t) => {
  const runs: (readonly (string | number)[])[] = [];
  const options = {
    isReady: () => true,
    callsMax: 3,
    inFlightMax: 1,
    queueMax: 5,
    patienceMs: 20,
  };
  const recording = async (shard: number, keys: readonly string[], args: readonly (string | number)[]) => {
    runs.push([shard, ...keys, ...args]);
    return args.filter((arg) => typeof arg === 'string');
  };
  const named = (shard: number, name: string) => ({ shard, keys: [`key ${name}`], args: () => [name] });
  const batcher = createBatcher({ ...options, run: recording });
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => batcher.call(named(i === 1 ? 1 : 0, name))),
  );
  t.strictSame(
    results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
    ['a', 'b', 'c', 'd', 'e', 'LEDGER_UNAVAILABLE'],
    'the sixth call exceeds the limit of five',
  );
  t.strictSame(runs, [
    [0, 'key a', 'key c', 'key d', 3, 'a', 'c', 'd'],
    [0, 'key e', 1, 'e'],
    [1, 'key b', 1, 'b'],
  ]);

  runs.splice(0);
  const patient = createBatcher({ ...options, patienceMs: 60_000, run: recording });
  const waits = patient.callLater(named(0, 'settle'));
  await sleep(1);
  t.strictSame(runs, [], 'a call that can wait is sent with the next one, and before it');
  await Promise.all([waits, patient.call(named(0, 'reserve'))]);
  const hasty = createBatcher({ ...options, run: recording });
  t.equal(await hasty.callLater(named(0, 'alone')), 'alone', 'or alone after a while');
  t.strictSame(runs, [
    [0, 'key settle', 'key reserve', 2, 'settle', 'reserve'],
    [0, 'key alone', 1, 'alone'],
  ]);

  const failing = createBatcher({ ...options, run: () => Promise.reject(new Error('gone')) });
  const failed = await Promise.allSettled([1, 2, 3, 4].map(() => failing.call(named(0, 'x'))));
  t.strictSame(
    failed.map((one) => one.status === 'rejected' && one.reason.code),
    ['LEDGER_SILENT', 'LEDGER_SILENT', 'LEDGER_SILENT', 'LEDGER_UNAVAILABLE'],
    'calls still queued were not sent',
  );
});

t.test('a loop looks at each shard in turn, and at once where something is expected', (t) => {
  const one = createTurns(1, 64);
  t.strictSame([one.take(), one.take()], [[0], [0]], 'one server is looked at in every round');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      fc.array(fc.array(fc.nat()), { maxLength: 5 }),
      (shards, rounds, expectations) => {
        const turns = createTurns(shards, rounds);
        for (const some of expectations) {
          const expected = some.map((n) => n % shards);
          for (const shard of expected) turns.expect(shard);
          const taken = turns.take();
          const isEach = expected.every((shard) => taken.includes(shard));
          const others = taken.filter((shard) => !expected.includes(shard));
          if (!isEach || new Set(taken).size < taken.length || others.length > Math.ceil(shards / rounds))
            return false;
        }
        const seen = Array.from({ length: rounds }, () => turns.take()).flat();
        return new Set(seen).size === shards;
      },
    ),
  );
  t.end();
});

t.test('the queue behind settleLater', async (t) => {
  const settle = (answer?: string): Settle => ({
    id: randomUUID(),
    accountId: randomUUID(),
    refundUnits: 0,
    ...(answer === undefined ? {} : { answer }),
  });
  const options: Omit<SettlerOptions, 'flush'> = {
    delayMs: 1,
    groupMax: 4,
    queueMax: 10,
    answersMaxChars: 100,
    maxAgeMs: 60_000,
    closeTimeoutMs: 300,
  };

  t.test('retries failed settlements in order, and logs the failure once', async (t) => {
    const { log, lines } = recordingLog();
    const done: Settle[] = [];
    let failures = 2;
    const flush = async (batch: readonly Settle[]) => {
      if (failures-- > 0) throw new Error('away');
      const [first, ...rest] = batch;
      if (failures === -1) return [first!];
      done.push(first!, ...rest);
      return [];
    };
    const settler = createSettler({ ...options, closeTimeoutMs: 5000, flush }, log);
    const all = Array.from({ length: 9 }, () => settle());
    all.forEach(settler.add);
    await settler.close();
    t.strictSame(
      new Set(done),
      new Set([all[0], ...all.slice(4)]),
      'the rest of the first batch was done at once',
    );
    t.equal(settler.dropped, 0);
    t.strictSame(lines, ['settlements failed; will retry', 'settlements succeed again']);
  });

  t.test('gives up settlements older than the lifetime of a reservation, and no newer ones', async (t) => {
    let nowMs = 1_000_000;
    t.intercept(Date, 'now', { value: () => nowMs });
    const settler = createSettler({ ...options, flush: () => Promise.reject(new Error('away')) }, silent);
    settler.add(settle());
    settler.add(settle());
    nowMs += 40_000;
    settler.add(settle());
    nowMs += 30_000;
    await until(() => settler.dropped > 0);
    t.equal(settler.dropped, 2);
    t.equal(settler.waiting, 1);
    nowMs += 60_000;
    await settler.close();
  });

  t.test('is bounded in number, in characters, in age and on closing', async (t) => {
    const away = () => Promise.reject(new Error('away'));
    const full = createSettler({ ...options, flush: away }, silent);
    for (let i = 0; i < 12; i += 1) full.add(settle());
    t.equal(full.waiting, 10);
    t.equal(full.dropped, 2);
    const long = createSettler({ ...options, flush: away }, silent);
    long.add(settle('x'.repeat(60)));
    long.add(settle('x'.repeat(60)));
    t.equal(long.waiting, 1);
    const old = createSettler({ ...options, maxAgeMs: 0, flush: away }, silent);
    old.add(settle());
    await until(() => old.waiting === 0);
    t.equal(old.dropped, 1);
    const { log, lines } = recordingLog();
    const hanging = createSettler({ ...options, flush: () => new Promise(() => {}) }, log);
    hanging.add(settle());
    await Promise.all([full.close(), long.close(), hanging.close()]);
    t.equal(full.dropped, 12);
    t.match(lines.at(-1), /dropped/);
  });
});

t.test('a loop never runs twice at a time, logs an outage once, and stops', async (t) => {
  const { log, lines } = recordingLog();
  const before = loopFailures().reaper!;
  let running = 0;
  let rounds = 0;
  const loop = startLoop(
    'reaper',
    1,
    async () => {
      running += 1;
      t.equal(running, 1);
      await sleep(1);
      running -= 1;
      rounds += 1;
      if (rounds === 3 || rounds === 4) throw new Error('away');
      return rounds === 2 ? 'more' : 'idle';
    },
    log,
  );
  await until(() => rounds >= 7);
  await loop.stop();
  const stopped = rounds;
  await sleep(20);
  t.equal(rounds, stopped);
  t.strictSame(lines, ['loop failed; will retry', 'loop works again']);
  t.equal(loopFailures().reaper! - before, 2, 'each failure is counted');
});

t.test('the reaper logs that it gave units back', async (t) => {
  const { log, lines } = recordingLog();
  let asked = 0;
  const reaper = startReaper({ reap: async () => (asked++ === 0 ? 3 : 0) }, log);
  await until(() => asked >= 1);
  await reaper.stop();
  t.strictSame(lines, ['reservations expired; their units were given back']);
});

t.test('reservations are remembered until they are forgotten, or 50,000 newer ones are open', async () => {
  const ids = fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 20 });
  const opened = { epoch: 'x' } as OpenReservation;
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 40 }), (forgotten, more) => {
      const memory = createMemory();
      const open = new Set<number>();
      const keep = (id: number) => {
        memory.keep(String(id), opened);
        open.add(id);
        if (open.size > 50_000) open.delete(open.values().next().value!);
      };
      for (let id = 0; id < 50_000; id += 1) keep(id);
      for (const id of forgotten) {
        memory.forget(String(id));
        open.delete(id);
      }
      for (let id = 50_000; id < 50_000 + more; id += 1) keep(id);
      const all = Array.from({ length: 50_000 + more }, (_, id) => id);
      return all.every((id) => (memory.find(String(id)) !== null) === open.has(id));
    }),
    { numRuns: 10 },
  );
});

t.test('a Redis that may evict the ledger causes a warning', async (t) => {
  const { url } = await startRedis(t);
  const redis = connectLedger(parseRedisUrl(url), 5000, silent);
  t.teardown(() => redis.disconnect());
  await whenReady(redis, 5000);
  const warnings = async (maxMemory: string, policy: string): Promise<number> => {
    const { log, lines } = recordingLog();
    await redis.config('SET', 'maxmemory', maxMemory);
    await redis.config('SET', 'maxmemory-policy', policy);
    await warnOfEviction(redis, log);
    return lines.length;
  };
  t.equal(await warnings('0', 'allkeys-lru'), 0, 'without a memory limit nothing is evicted');
  t.equal(await warnings('100mb', 'noeviction'), 0);
  t.equal(await warnings('100mb', 'allkeys-lru'), 1);
});

t.test('errors of the Redis client become indeterminate, and other errors are unchanged', async (t) => {
  const lost = toLedgerError(new Error('Connection is closed.'));
  t.match(lost, { message: 'Connection is closed.', code: 'LEDGER_SILENT' });
  t.ok(isIndeterminate(lost));
  for (const error of [
    ledgerError('LEDGER_UNAVAILABLE', 'no answer'),
    Object.assign(new Error('lost'), { code: 'DATABASE_LOST' }),
    new TypeError('a bug'),
  ]) {
    t.equal(toLedgerError(error), error);
    t.notOk(isIndeterminate(error));
  }
});
