/** Objectives, and the search for a capacity against a simulated server. */
import fc from 'fast-check';
import t from 'tap';
import { NO_RATE, search } from '../../bench/capacity/search.ts';
import {
  describeSlo,
  judge,
  missedBy,
  parseSlo,
  type Slo,
  secondsFor,
  tooFew,
} from '../../bench/capacity/slo.ts';
import type { Mix } from '../../bench/load/mix.ts';
import { openResult } from './results.ts';
import { type Noise, type Simulated, simulate } from './simulated.ts';

const MIX: Mix = [['redirect', 1]];
const sloOf = (text: string, mix = MIX): Slo => parseSlo(text, mix);

t.test('objectives are parsed and judged', async (t) => {
  const slo = sloOf('p99=0.1s');
  t.strictSame(slo, { objectives: [{ percentile: 99, kind: null, ms: 100 }], failedShare: 0.001 });
  const mix = [
    ['redirect', 1],
    ['bulk 10', 1],
  ] as const;
  t.equal(
    describeSlo(sloOf('p99.9=1s, p75[bulk 10]=20ms,p50[each]=5ms', mix)),
    'p99.9 of at most 1000 ms, p75[bulk 10] of at most 20 ms, p50[redirect] of at most 5 ms, p50[bulk 10] of at most 5 ms, at most 0.1 % failed',
  );
  for (const wrong of [
    'p100=1ms',
    'p0=1ms',
    'p999=1ms',
    'p99',
    'p99=fast',
    'p99=10',
    'p99[bulk 100]=1s',
    'p99=1s,',
  ])
    t.throws(() => parseSlo(wrong, mix), { message: /^--slo / }, wrong);

  t.equal(missedBy(slo, openResult({ ratePerS: 10, p99: 99 })), null);
  t.match(missedBy(slo, openResult({ ratePerS: 10, p99: 101 })), /^p99 is 101/);
  t.match(missedBy(slo, openResult({ ratePerS: 10, p99: 1, refused: 1 })), '% failed');
  const { kinds } = openResult({ ratePerS: 10, p99: 101 });
  const hidden = { ...openResult({ ratePerS: 10, p99: 1 }), kinds };
  t.equal(missedBy(slo, hidden), null);
  t.match(
    missedBy(sloOf('p99[redirect]=100ms'), hidden),
    /^p99\[redirect\] is 101/,
    'a kind that misses alone',
  );
});

t.test('a percentile is missed exactly when more requests are over it than it allows', async () => {
  const percentile = fc.constantFrom(50, 75, 90, 95, 99);
  fc.assert(
    fc.property(percentile, fc.integer({ min: 0, max: 100 }), (p, refused) => {
      const result = openResult({ ratePerS: 1, p99: 1, refused });
      const [, one] = judge(sloOf(`p${p}=100ms`), result);
      return one!.over === refused && (one!.missed !== null) === one!.over > one!.allowed * one!.of + 1e-9;
    }),
  );
});

t.test('steps last until twenty answers of the kind lie beyond the percentile', async (t) => {
  const mix = [
    ['redirect', 199],
    ['bulk 10', 1],
  ] as const;
  t.equal(Math.round(secondsFor(sloOf('p99=1s', mix), mix, 100)), 20);
  t.equal(Math.round(secondsFor(sloOf('p99=1s,p95[bulk 10]=1s', mix), mix, 100)), 808);
  const result = openResult({ ratePerS: 100, p99: 1 });
  t.strictSame(tooFew(sloOf('p75=1s'), result), []);
  t.match(tooFew(sloOf('p99=1s'), result), ['p99 needs 2000 answers and had 100: load for longer']);
});

const BOUND_MS = 100;
const objective = {
  slo: sloOf(`p99=${BOUND_MS}ms`),
  mix: MIX,
  seconds: 5,
  soakSeconds: 60,
  onStep: () => {},
};

/** The rate at which one in a hundred of the requests of two hours is slower than the objective. */
const truthOf = (kind: Simulated): number => {
  let [low, high] = [0.4, 1.05].map((share) => (share * kind.servers) / kind.meanS) as [number, number];
  for (let n = 0; n < 10; n += 1) {
    const middle = (low + high) / 2;
    let [over, all] = [0, 0];
    simulate(kind, 4711).load(middle, 7200, (s) => {
      all += 1;
      if (s > BOUND_MS / 1000) over += 1;
    });
    if (over <= 0.01 * all) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** A noisy neighbour, pauses, and a slow drift: each kind of noise on its own, and none. */
const NOISES: Readonly<Record<string, Noise>> = {
  none: {},
  stalls: { stallsPerS: 0.5, stallS: 0.04 },
  drift: { drift: 0.03, driftS: 60 },
  neighbour: { busyShare: 0.3, busyS: 3, taken: 0.15 },
};
const SEEDS = 25;

t.test(
  'in 95 of 100 searches the interval covers the capacity, and in two thirds it is narrower than 30 %',
  async (t) => {
    let [covered, narrow] = [0, 0];
    for (const [name, noise] of Object.entries(NOISES)) {
      const kind = {
        servers: 2,
        meanS: 0.01,
        noise,
        arrivals: name === 'none' ? 'poisson' : 'even',
      } as const;
      const truth = truthOf(kind);
      let [here, claims] = [0, 0];
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const server = simulate(kind, seed);
        const { capacity, soak } = await search({ ...objective, ...server, firstPerS: 20 + (seed % 10) });
        if (capacity === null) continue;
        if (soak !== null) claims += 1;
        if (capacity.low <= truth && truth <= capacity.high) here += 1;
        if (capacity.high - capacity.low < 0.3 * capacity.perS) narrow += 1;
      }
      t.comment(`${name}: capacity ${truth.toFixed(1)}/s, ${here} of ${SEEDS} covered, ${claims} claims`);
      covered += here;
    }
    t.ok(covered >= 95, `${covered} of 100 cover it`);
    t.ok(narrow >= 67, `${narrow} of 100 are narrow`);
  },
);

const quiet: Simulated = { servers: 2, meanS: 0.01, noise: {}, arrivals: 'even' };

t.test('no rate is claimed', async (t) => {
  const found = (other: Partial<Parameters<typeof search>[0]>, kind = quiet) =>
    search({ ...objective, ...simulate(kind, 1), firstPerS: 20, ...other });

  t.test('when even the lowest rate misses', async (t) => {
    const { undetermined, soak } = await found({ slo: sloOf('p99=1ms') });
    t.equal(undetermined, NO_RATE);
    t.equal(soak, null);
  });

  t.test('when the server is fast in some minutes and slow in others', async (t) => {
    const { undetermined, ratePerS } = await found({}, { ...quiet, noise: { drift: 0.5, driftS: 60 } });
    t.type(undetermined, 'string');
    t.equal(ratePerS, 0);
  });

  t.test('when each step was disturbed', async (t) => {
    const { fire, rest } = simulate(quiet, 1);
    const { undetermined, capacity } = await found({
      fire: async (ratePerS, seconds) => ({
        ...(await fire(ratePerS, seconds)),
        faults: ['the machine was busy'],
      }),
      rest,
    });
    t.equal(undetermined, 'the machine was busy');
    t.equal(capacity, null);
  });

  t.test('when the account or key has reached its limit, and the search stops', async (t) => {
    const { undetermined, steps } = await found({
      fire: async (ratePerS) => ({
        result: openResult({ ratePerS, p99: 1, refused: 5, status: 429 }),
        faults: [],
        seen: '',
      }),
    });
    t.match(undetermined, 'the target answers 429: give the account more units');
    t.equal(steps.length, 1);
  });

  t.test('when a step would have to last for hours', async (t) => {
    const { undetermined } = await found({ slo: sloOf('p99.999=100ms') });
    t.match(undetermined, 'for its percentiles: choose lower ones');
  });
});

t.test('disturbed steps are repeated and do not change the result', async (t) => {
  const { fire, rest } = simulate(quiet, 1);
  let steps = 0;
  const { capacity, ratePerS, soaks, held } = await search({
    ...objective,
    firstPerS: 20,
    rest,
    async fire(perS, seconds) {
      steps += 1;
      if (steps % 5 > 0) return { ...(await fire(perS, seconds)), faults: [] };
      return { result: openResult({ ratePerS: perS, p99: 999 }), faults: ['the machine was busy'], seen: '' };
    },
  });
  const truth = truthOf(quiet);
  t.ok(capacity !== null && capacity.low <= truth && truth <= capacity.high);
  t.ok(ratePerS <= truth, `${ratePerS}: soaks hold below the capacity`);
  t.equal(held, 3);
  t.ok(soaks <= 4);
});

t.test('the target rests after each step that missed, for longer when it has a backlog', async (t) => {
  const { fire, rest } = simulate(quiet, 1);
  const rests: number[] = [];
  const { steps } = await search({
    ...objective,
    firstPerS: 150,
    fire,
    async rest(seconds) {
      rests.push(seconds);
      await rest(seconds);
    },
  });
  t.equal(rests.length, steps.filter(({ missed }) => missed !== null).length);
  t.ok(Math.min(...rests) >= 3);
  t.ok(Math.max(...rests) > 6, 'the backlog of twice the capacity');
});
