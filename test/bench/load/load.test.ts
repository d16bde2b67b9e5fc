/** The load generators against a small test server; the report; the processor time of other processes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { parseSlo } from '../../../bench/capacity/slo.ts';
import { cpuMs, rssBytes } from '../../../bench/cpu.ts';
import { plainAim } from '../../../bench/load/aim.ts';
import { runClosed, runCounted } from '../../../bench/load/closed.ts';
import { TIMEOUT_MS } from '../../../bench/load/histogram.ts';
import type { OpenJob } from '../../../bench/load/job.ts';
import {
  type Arrivals,
  createArrivals,
  meanOf,
  type Phase,
  parseArrivals,
  parseProfile,
} from '../../../bench/load/open/arrivals.ts';
import { runOpen } from '../../../bench/load/open/open.ts';
import { faultsOfSteady } from '../../../bench/load/open/witness.ts';
import { createOutcomes, failuresOf, mergeResults, resultOf } from '../../../bench/load/outcomes.ts';
import { recipeOf } from '../../../bench/load/recipes.ts';
import { markdownReport, verdicts } from '../../../bench/reports/markdown.ts';
import { growthOf, SOAK, verdictOf } from '../../../bench/soak-rules.ts';
import { readCommand } from '../../support/command.ts';
import { bench, capacity } from '../reports.ts';
import { openResult } from '../results.ts';

type Scope = { teardown(run: () => unknown): unknown };

const serve = async (scope: Scope, listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const load = { mix: [['bare', 1]] as const, aim: plainAim('test') };
const GOOD = '{"hello":"world"}';

/** By default twenty requests in a tenth of a second. */
const openLoop = (url: string, wanted: Partial<OpenJob> = {}) => {
  const usual = { connections: 20, ratePerS: 200, seconds: 0.1, underWayMax: 100 };
  return runOpen({ ...load, url, ...usual, ...wanted }, () => {});
};

t.test('an open loop keeps sending while requests go unanswered', async (t) => {
  const held: (() => void)[] = [];
  const url = await serve(t, (_, answer) => {
    held.push(() => answer.end(GOOD));
    // The server answers only once all requests have arrived, so a generator that waits for answers would hang.
    if (held.length === 20) for (const release of held) release();
  });
  const { tally, dropped } = await openLoop(url);
  t.equal(tally.good, 20);
  t.equal(dropped, 0);
});

t.test('requests that are due while too many are in flight are dropped and counted', async (t) => {
  const held: (() => void)[] = [];
  const url = await serve(t, (_, answer) => {
    held.push(() => answer.end(GOOD));
    if (held.length === 5) setTimeout(() => held.map((release) => release()), 500);
  });
  const { tally, dropped } = await openLoop(url, { underWayMax: 5 });
  t.equal(tally.good + dropped, 20);
  t.ok(dropped > 0);
});

t.test('refusals, wrong bodies and good answers are counted separately', async (t) => {
  let asked = 0;
  const listener: RequestListener = (_, answer) => {
    asked += 1;
    if (asked % 3 === 0) answer.writeHead(503).end('{}');
    else if (asked % 3 === 1) answer.end('{}');
    else answer.setHeader('server-timing', 'quota;dur=1.0, queue;dur=2.0, render;dur=3.0').end(GOOD);
  };
  const url = await serve(t, listener);
  const counted = await runCounted({ ...load, url, connections: 3, requests: 30 }, () => {});
  t.match(counted.tally, { good: 10, bodyCheckFailed: 10, statuses: { 503: 10 }, timeouts: 0 });
  t.strictSame(counted.tally.serverMs, { quota: 1, queue: 2, render: 3, answers: 10 });
  t.equal(failuresOf(counted.tally), 20);

  const { tally } = await openLoop(url, { connections: 3, ratePerS: 300 });
  t.equal(tally.good + failuresOf(tally), 30);
  t.equal(tally.statuses['503'], 10);
});

t.test('an open loop measures the delays of the server', async (t) => {
  let asked = 0;
  const delaysMs = [...Array.from({ length: 9 }, () => 40), 900];
  const url = await serve(t, (_, answer) => {
    asked += 1;
    setTimeout(() => answer.end(GOOD), delaysMs[asked % delaysMs.length]);
  });
  const wanted = { connections: 100, seconds: 0.5, underWayMax: 1000 };
  const { tally, latencyMs, dropped } = await openLoop(url, wanted);
  t.match(
    { ...tally, dropped },
    { good: 100, bodyCheckFailed: 0, timeouts: 0, connectionErrors: 0, dropped: 0 },
  );
  // A timer may be a millisecond early. The two delays differ by more than a busy machine adds.
  t.ok(latencyMs.p50 >= 39 && latencyMs.p50 < 900, `p50 ${latencyMs.p50}`);
  t.ok(latencyMs.p99 >= 899 && latencyMs.p99 < 5000, `p99 ${latencyMs.p99}`);
});

t.test('a stall of the server counts in the latency of every request that was due during it', async (t) => {
  let stalledUntilMs = 0;
  const url = await serve(t, (_, answer) => {
    if (stalledUntilMs === 0) stalledUntilMs = performance.now() + 600;
    setTimeout(() => answer.end(GOOD), Math.max(0, stalledUntilMs - performance.now()));
  });
  const wanted = { connections: 4, ratePerS: 100, seconds: 1, underWayMax: 1000 };
  const { tally, latencyMs } = await openLoop(url, wanted);
  t.equal(tally.good, 100);
  // Of 100 requests 60 are due in the stall, and 20 of them in its first 200 ms: those take 400 ms or more.
  t.ok(
    latencyMs.p90 >= 380,
    `p90 ${latencyMs.p90}; a generator that waits for answers would see 4 such requests`,
  );
});

t.test('each kind of a mix has outcomes of its own, and failures count with the time limit', async (t) => {
  const url = await serve(t, ({ url }, answer) => {
    if (url?.startsWith('/l/')) answer.writeHead(503).end();
    else answer.end(GOOD);
  });
  const mix = [...load.mix, ['redirect', 1]] as const;
  const result = await openLoop(url, { mix, aim: { ...load.aim, slugs: ['a'] } });
  t.match(result.kinds.bare?.tally, { good: 10, statuses: {} });
  t.match(result.kinds.redirect?.tally, { good: 0, statuses: { 503: 10 } });
  t.ok(result.latencyMs.p50 < TIMEOUT_MS && result.latencyMs.p75 >= TIMEOUT_MS, 'half of them failed');
  t.ok(result.refusedMs.p99 < TIMEOUT_MS, 'the time to a refusal is known too');
  t.ok(Math.abs(result.inFlightMs / result.timesMs - 1) < 1e-6, 'Little’s law');
});

t.test('the results of several generators add up to that of one, bucket for bucket', async (t) => {
  const request = fc.record({
    isRedirect: fc.boolean(),
    isGood: fc.boolean(),
    isLeft: fc.boolean(),
    waitMs: fc.integer({ min: 0, max: 20_000 }),
    ms: fc.integer({ min: 0, max: 80_000 }),
  });
  const load = { seconds: 10, askedPerS: 1, sentPerS: 1, goodPerS: 1, lateMs: 1, generatorCpuMs: 1 };
  const of = (requests: readonly (typeof request extends fc.Arbitrary<infer R> ? R : never)[]) => {
    const kinds = { redirect: createOutcomes(), bare: createOutcomes() };
    for (const { isRedirect, isGood, waitMs, ms } of requests) {
      const outcomes = isRedirect ? kinds.redirect : kinds.bare;
      outcomes.count('sent');
      outcomes.left(waitMs);
      outcomes.tally.answer(isGood, isGood ? 200 : 503, 10, 1, 'quota;dur=1, queue;dur=2, render;dur=4');
      outcomes.ended(isGood, 0, waitMs, waitMs + ms);
    }
    return resultOf({ redirect: kinds.redirect.result(), bare: kinds.bare.result() }, load);
  };
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const halves = [true, false].map((left) => of(requests.filter(({ isLeft }) => isLeft === left)));
      t.strictSame(mergeResults(halves), { ...of(requests), askedPerS: 2, sentPerS: 2, goodPerS: 2 });
    }),
    { numRuns: 50 },
  );
});

t.test('a load says nothing', async (t) => {
  const quiet = { inFlightMs: null, stolen: 0, others: 0 };
  const result = { ...openResult({ ratePerS: 100, p99: 10 }), inFlightMs: 1000, timesMs: 1000 };
  const faults = (wrong: object, beside: object = {}) =>
    faultsOfSteady({ ...result, ...wrong }, { ...quiet, ...beside });
  t.strictSame(faults({}), []);
  for (const [name, fault, wrong, beside] of [
    ['when requests were not sent', /^1 of 101 requests were not sent$/, { dropped: 1 }, {}],
    [
      'when a request got lost',
      /^Little’s law fails: 1 requests in flight, their times say 0.9$/,
      { timesMs: 900 },
      {},
    ],
    [
      'when the server counts others too',
      /^the server had 2 requests in flight, and 1 were ours/,
      {},
      { inFlightMs: 2000 },
    ],
    [
      'when time passed outside of the server',
      /^30 ms of a mean request passed outside/,
      { inFlightMs: 4000, timesMs: 4000 },
      { inFlightMs: 1000 },
    ],
    ['when the generator was late', /^the generator was 21 ms late$/, { lateMs: 21 }, {}],
    ['when the generator could not keep up', /late$/, { sentPerS: 97 }, {}],
    [
      'when the generator was busy',
      /^the generator was busy \(0.9 of one core\)$/,
      { generatorCpuMs: 900 },
      {},
    ],
    ['when the host took time away', /^the host took 3.0 % of the processors away$/, {}, { stolen: 0.03 }],
    ['when the machine had other work', /^other processes took 20 % of the processors$/, {}, { others: 0.2 }],
  ] as const) {
    const found = faults(wrong, beside);
    t.equal(found.length, 1, name);
    t.match(found[0], fault);
  }
});

t.test('a soak ends with its verdict', async (t) => {
  const soaked = {
    whole: openResult({ ratePerS: 400, p99: 10 }),
    faults: [],
    slo: null,
    growth: { gateway: 0.01, Redis: null },
    lagS: 0,
  };
  const verdict = (wrong: Partial<Parameters<typeof verdictOf>[0]>) => {
    const { code, lines } = verdictOf({ ...soaked, ...wrong });
    return [code, lines.at(-1)!.trim()] as const;
  };
  t.strictSame(verdict({}), [0, 'held: 400 of 400 requests/s for 1 s']);
  t.match(verdictOf(soaked).lines[0], 'gateway 1.0 %, Redis not known before 8 slices');
  t.match(verdict({ growth: { gateway: 0.2, Redis: 0 } }), [
    1,
    /^MISSED: .*; the memory of gateway grew by 20 %$/,
  ]);
  t.match(verdict({ whole: openResult({ ratePerS: 400, p99: 10, refused: 2 }) }), [1, /2 requests failed$/]);
  t.match(verdict({ lagS: 2 }), [1, /the drain fell 2 s behind$/]);
  const slo = (text: string) => parseSlo(text, [['redirect', 1]]);
  t.match(verdict({ slo: slo('p50=5ms') }), [1, /p50 is 10.0\d* ms$/]);
  t.match(verdict({ slo: slo('p99=50ms') }), [3, /^NOT VALID: .*; p99 needs 2000 answers and had 100/]);
  t.match(verdict({ faults: ['480812 of 600000 requests were not sent'] }), [3, /^NOT VALID: .*; 480812 of/]);
  t.equal(growthOf([1, 2, 3]), null);
  t.equal(growthOf([1, 1, 1, 1, 1, 1, 2, 2]), 1);
});

t.test('a soak is described by its options', async (t) => {
  const soak = (...args: readonly string[]) => {
    const reading = readCommand(SOAK, args);
    return reading.kind === 'given' ? reading.wanted : reading.text;
  };
  t.match(soak(), { slices: 90, seconds: 10, ratePerS: 400, arrivals: 'even', slo: null });
  const profile = ['--profile', '50s@100,10s@100-500'];
  t.match(soak('--minutes', '2', ...profile), { slices: 2, seconds: 60, ratePerS: (5000 + 3000) / 60 });
  t.match(soak('--slo', 'p99[redirect]=1s', '--arrivals', 'poisson'), { arrivals: 'poisson' });
  for (const wrong of [
    ['--profile', '50'],
    ['--arrivals', 'often'],
    ['--mix', 'x'],
    ['--slo', 'p99'],
  ])
    t.match(soak(...wrong), wrong[1]!, wrong.join(' '));
});

t.test('requests are due evenly or at random, along steps, ramps and bursts', async (t) => {
  const phase = fc.record({
    seconds: fc.integer({ min: 1, max: 20 }),
    fromPerS: fc.integer({ min: 0, max: 50 }),
    toPerS: fc.integer({ min: 1, max: 50 }),
  });
  const dueIn = (phases: readonly Phase[], kind: Arrivals): number[] => {
    const next = createArrivals(phases, kind, 7);
    const due: number[] = [];
    for (let dueS = next(); dueS !== null; dueS = next()) due.push(dueS);
    return due;
  };
  fc.assert(
    fc.property(fc.array(phase, { minLength: 1, maxLength: 4 }), fc.boolean(), (phases, isEven) => {
      const due = dueIn(phases, isEven ? 'even' : 'poisson');
      const { seconds, ratePerS } = meanOf(phases);
      const expected = seconds * ratePerS;
      const isOrdered = due.every((dueS, n) => dueS >= (due[n - 1] ?? 0) && dueS <= seconds);
      return isOrdered && Math.abs(due.length - expected) <= (isEven ? 1 : 5 * Math.sqrt(expected) + 1);
    }),
  );
  t.strictSame(dueIn([{ seconds: 1, fromPerS: 4, toPerS: 4 }], 'even'), [0, 0.25, 0.5, 0.75]);
  const ramp = dueIn([{ seconds: 10, fromPerS: 0, toPerS: 20 }], 'even');
  t.equal(ramp.length, 100);
  t.equal(ramp.filter((dueS) => dueS < 5).length, 25, 'a quarter of a ramp comes in its first half');
  const gaps = dueIn([{ seconds: 1000, fromPerS: 10, toPerS: 10 }], 'poisson').map(
    (dueS, n, all) => dueS - (all[n - 1] ?? 0),
  );
  const squares = gaps.reduce((all, gap) => all + gap ** 2, 0) / gaps.length;
  t.ok(Math.abs(squares / 0.02 - 1) < 0.1, 'the gaps of a Poisson process vary by their mean');

  t.strictSame(parseProfile('60s@100, 2.5s@100-900'), [
    { seconds: 60, fromPerS: 100, toPerS: 100 },
    { seconds: 2.5, fromPerS: 100, toPerS: 900 },
  ]);
  for (const wrong of ['60@100', '0s@100', '60s@0', '60s', '60s@1-', ''])
    t.throws(() => parseProfile(wrong), { message: /^--profile / }, wrong);
  t.throws(() => parseArrivals('often'), { message: '--arrivals must be even or poisson, not "often"' });
});

t.test('a closed loop has at most one request per connection; its warm-up does not count', async (t) => {
  let [underWay, most, begun, before] = [0, 0, false, 0];
  const url = await serve(t, (_, answer) => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (!begun) before += 1;
    setImmediate(() => {
      underWay -= 1;
      answer.end(GOOD);
    });
  });
  const job = { ...load, url, connections: 4, warmUpS: 1, seconds: 1 } as const;
  const { tally } = await runClosed(job, () => {
    begun = true;
  });
  t.ok(most <= 4, `${most} in flight`);
  t.ok(before > 0, 'the warm-up is not counted');
  t.ok(tally.good > 0);
  t.equal(failuresOf(tally), 0);
});

t.test(
  'the processor time of another process can be read',
  { skip: process.platform !== 'linux' && 'no /proc' },
  async (t) => {
    const [seenMs, usedUs] = [cpuMs(process.pid), process.cpuUsage()];
    while (process.cpuUsage(usedUs).user < 200_000);
    t.ok(cpuMs(process.pid) - seenMs > 150);
    t.ok(rssBytes(process.pid) > 1e7);
  },
);

t.test('the report', async (t) => {
  const text = markdownReport(bench, capacity);

  t.test('claims a rate with its interval and its soaks, or says why it claims none', async (t) => {
    const claim =
      'holds 100 requests/s (0 codes/s): 3 of 3 soaks of 1 s held; the capacity is 110/s, 99 % interval 100 to 120';
    t.equal(verdicts(null, capacity)[0], `${claim}.`);
    const none = { ...capacity.found, soak: null, capacity: null, undetermined: 'the machine was busy' };
    t.equal(verdicts(null, { ...capacity, found: none })[0], 'not determined: the machine was busy.');
  });

  t.test('warns that ratios cannot be trusted on a busy machine', async (t) => {
    const busy = { ...bench, machine: { ...bench.machine, load: 3 } };
    t.match(verdicts(busy, null).at(-1), 'Only the processor time of requests can be trusted in this run.');
  });

  t.test('begins with the verdict', async (t) => {
    t.ok(text.indexOf('holds 100 requests/s') < text.indexOf('## '));
  });

  t.test('can be made from both runs, one of them, or none', async (t) => {
    t.match(markdownReport(bench, null), '## Ratios');
    t.match(markdownReport(null, capacity), '## Capacity');
    t.notMatch(markdownReport(null, null), 'undefined');
  });
});

t.test('a warm-up opens all connections, and none of its requests counts', async (t) => {
  let requests = 0;
  const sockets = new Set<unknown>();
  const url = await serve(t, ({ socket }, answer) => {
    requests += 1;
    sockets.add(socket);
    answer.end(GOOD);
  });
  let early = 0;
  const job = { ...load, url, connections: 20, ratePerS: 200, seconds: 0.1, underWayMax: 100, warmUpS: 0.1 };
  const { sent, tally } = await runOpen(job, () => {
    early = requests;
  });
  t.equal(sent, 20);
  t.equal(tally.good, 20);
  t.equal(sockets.size, 20);
  // Twenty at once, and ten while the rate rises; the last of them may be on their way.
  t.ok(early > 20 && early <= 30, String(early));
  t.equal(requests, 50);
});

t.test('a load that is named marks the calls that have a key', async (t) => {
  const aim = { ...plainAim('test', 'k'), slugs: ['a'], loadTest: 'spring' };
  t.match(recipeOf('render miss 300').build(aim, 1).headers, { 'tessera-load-test': 'spring' });
  t.notOk('tessera-load-test' in recipeOf('redirect').build(aim, 1).headers, 'a visitor has none');
  t.notOk('tessera-load-test' in recipeOf('render miss 300').build(plainAim('test', 'k'), 1).headers);
});
