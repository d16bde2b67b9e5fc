import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import type { Log } from '../../src/log.ts';
import type { Settle } from '../../src/quota/quota.ts';
import { startReaper } from '../../src/quota/reaper.ts';
import { createBatcher } from '../../src/quota/redis/batcher.ts';
import { type LedgerEvent, parseEntry, toRows } from '../../src/quota/redis/events.ts';
import { claimKey, SHARDS, shardKeys, shardOf } from '../../src/quota/redis/keys.ts';
import { startLoop } from '../../src/quota/redis/loop.ts';
import { connectLedger } from '../../src/quota/redis/scripts.ts';
import { createSettler, type SettlerOptions } from '../../src/quota/settler.ts';
import { whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { until } from '../servers/until.ts';
import { startRedis } from '../support/redis.ts';
import { silent } from '../support/silent-log.ts';

const recordingLog = () => {
  const lines: string[] = [];
  const note = (_: object, message: string) => {
    lines.push(message);
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  return { log, lines };
};

t.test('the month in Lua is the month of the calendar', async (t) => {
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

t.test('all keys of an account are in one slot', async (t) => {
  const tagOf = (key: string) => /^\{q:\d\d\}/.exec(key)?.[0];
  const seen = new Set<number>();
  for (let i = 0; i < 2000; i += 1) {
    const id = randomUUID();
    const shard = shardOf(id);
    seen.add(shard);
    const tags = [...shardKeys(shard), claimKey(id, 'single', 'a}{b:|c')].map(tagOf);
    t.equal(new Set(tags).size, 1);
  }
  t.equal(seen.size, SHARDS, 'and all shards are used');
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

t.test('the fields of a stream entry become an event or null', async (t) => {
  const [id, other, account] = [randomUUID(), randomUUID(), randomUUID()];
  const record = `o${account}|epoch--1|1796083200000|2|1|2026-11-01|1796083200000|9|2|1|4|{q:00}:claim:a|b`;
  const common = { id, account, epoch: 'epoch--1', period: '2026-11-01' };
  const change = `b${account}|epoch--1|2026-11-01|-2|1|2026-11-01|1796083200000|0|0|0|5`;
  t.match(parseEntry(['reserve', '', id, record, other, 'x']), [
    {
      ...common,
      kind: 'reserve',
      monthly: 2,
      credits: -1,
      expiresMs: 1_796_083_200_000,
      view: '2026-11-01|1796083200000|9|2|1|4',
    },
    null,
  ]);
  t.match(parseEntry(['settle', '', id, record, other, change]), [
    { ...common, kind: 'settle', monthly: 0, credits: 0, view: null },
    {
      ...common,
      id: other,
      kind: 'settle',
      monthly: -2,
      credits: 1,
      view: '2026-11-01|1796083200000|0|0|0|5',
    },
  ]);
  t.match(parseEntry(['grant', '', id, change]), [{ kind: 'grant', credits: 1 }]);
  t.strictSame(parseEntry(['other', '', id, record]), [null]);
  t.strictSame(parseEntry([]), [null]);
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[oeb](\|?[\da-f-]{0,40}){5,13}$/));
  fc.assert(
    fc.property(fc.constantFrom('reserve', 'settle', 'grant'), fc.array(text), (kind, texts) =>
      parseEntry([kind, '', ...texts]).every(
        (event) => event === null || Number.isSafeInteger(event.monthly),
      ),
    ),
    { numRuns: 500 },
  );
});

t.test('an event is sent with the fields that its statement needs', async (t) => {
  const [closed, open, account, other] = Array.from({ length: 4 }, () => randomUUID());
  const event = (kind: LedgerEvent['kind'], id: string, of: string, used: number): LedgerEvent => ({
    kind,
    id,
    account: of,
    epoch: 'epoch--1',
    period: '2026-11-01',
    monthly: kind === 'reserve' ? 1 : 0,
    credits: 0,
    expiresMs: kind === 'reserve' ? 1_796_083_200_000 : null,
    view: kind === 'settle' ? null : `2026-11-01|1796083200000|9|${used}|1|4`,
  });
  const rows = toRows([
    event('reserve', closed!, account!, 1),
    event('reserve', open!, account!, 2),
    event('settle', closed!, account!, 2),
    event('grant', randomUUID(), other!, 5),
  ]);
  t.match(rows, [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
  t.strictSame(
    rows.map(({ answer }) => answer),
    [
      undefined,
      {
        outcome: 'admitted',
        fromMonthly: 1,
        fromCredits: 0,
        balance: {
          period: '2026-11-01',
          resetsAtMs: 1_796_083_200_000,
          monthlyQuota: 9,
          monthlyUsed: 2,
          credits: 4,
          usageCount: 3,
          remaining: 11,
        },
      },
      undefined,
      undefined,
    ],
    'the answer only of a reservation that stays open',
  );
  t.strictSame(
    rows.map(({ after }) => after),
    [undefined, ['2026-11-01', 2, 1, 4], undefined, ['2026-11-01', 5, 1, 4]],
    'what stands after it only of the last of an account',
  );
  t.strictSame(
    rows.map(({ epoch }) => epoch),
    [undefined, 'epoch--1', undefined, 'epoch--1'],
  );
});

t.test('calls of one moment become one script run, in order, within bounds', async (t) => {
  const runs: (readonly (string | number)[])[] = [];
  const options = { isReady: () => true, oneShardOnly: false, batchMax: 3, inFlightMax: 1, queueMax: 5 };
  const answer = (_: readonly string[], args: readonly (string | number)[]) =>
    args.filter((arg) => typeof arg === 'string');
  const batcher = createBatcher({
    ...options,
    run: async (keys, args) => {
      runs.push(args);
      return answer(keys, args);
    },
  });
  const call = (shard: number, name: string) => batcher.call(shard, [`key ${name}`], name);
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => call(i % 2, name)),
  );
  t.strictSame(
    results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
    ['a', 'b', 'c', 'd', 'e', 'LEDGER_UNAVAILABLE'],
    'the sixth of five is refused',
  );
  t.strictSame(runs, [
    [2, 'a', 'c', 1, 'b'],
    [1, 'd', 1, 'e'],
  ]);

  let sent = 0;
  const cluster = createBatcher({
    ...options,
    oneShardOnly: true,
    run: async (keys, args) => {
      sent += 1;
      return answer(keys, args);
    },
  });
  await Promise.all([0, 1, 2, 0].map((shard) => cluster.call(shard, [], 'x')));
  t.equal(sent, 3, 'one run a shard on a Cluster');

  const failing = createBatcher({ ...options, run: () => Promise.reject(new Error('gone')) });
  const failed = await Promise.allSettled([1, 2, 3, 4].map(() => failing.call(0, [], 'x')));
  t.strictSame(
    failed.map((one) => one.status === 'rejected' && one.reason.code),
    ['LEDGER_SILENT', 'LEDGER_SILENT', 'LEDGER_SILENT', 'LEDGER_UNAVAILABLE'],
    'what waited behind was not sent',
  );
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
    batchMax: 4,
    queueMax: 10,
    answersMaxChars: 100,
    maxAgeMs: 60_000,
    closeTimeoutMs: 300,
  };

  t.test('retries failed settlements in order, and logs that once', async (t) => {
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
    t.strictSame(lines, ['settling fails and is retried', 'settling works again']);
  });

  t.test('gives up settlements older than the life of a reservation, and none younger', async (t) => {
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

  t.test('is bounded in number, in characters, in age and at the end', async (t) => {
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

t.test('a loop never overlaps itself, logs an outage once, and stops', async (t) => {
  const { log, lines } = recordingLog();
  let running = 0;
  let rounds = 0;
  const loop = startLoop(
    'test',
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
  t.strictSame(lines, ['fails and is retried', 'works again']);
});

t.test('the reaper returns how many it gave back', async (t) => {
  const { log, lines } = recordingLog();
  let asked = 0;
  const reaper = startReaper({ reap: async () => (asked++ === 0 ? 3 : 0) }, log);
  await until(() => asked >= 1);
  await reaper.stop();
  t.strictSame(lines, ['reservations expired; their units were given back']);
});
