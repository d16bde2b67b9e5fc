/** How the benchmarks evaluate their measurements. */
import fc from 'fast-check';
import t from 'tap';
import { CAPACITY } from '../../bench/capacity/options.ts';
import { fitUsl, predict } from '../../bench/capacity/usl.ts';
import {
  type Baseline,
  baselineOf,
  changesOf,
  milder,
  type Readings,
  readingsOf,
} from '../../bench/guard/baseline.ts';
import { CALIBRATION, hasBareYardstick, MEASURES } from '../../bench/guard/measures.ts';
import { plainAim } from '../../bench/load/aim.ts';
import { codesARequest, createPicker, MIXED, parseMix } from '../../bench/load/mix.ts';
import { RECIPES, recipeOf } from '../../bench/load/recipes.ts';
import { commandOf } from '../../bench/reports/files.ts';
import { describeLaw } from '../../bench/reports/tables.ts';
import { aligned, figure } from '../../bench/say.ts';
import { judge } from '../../bench/stages/compare.ts';
import { SCENARIOS, TARGETS } from '../../bench/stages/scenarios.ts';
import { median, pairedRatios, quantile, summarize } from '../../bench/stats.ts';
import { readCommand } from '../support/command.ts';
import { roundOf } from './results.ts';

t.test('medians, quantiles, ratios and formatted numbers', async (t) => {
  t.equal(median([3, 1, 2]), 2);
  t.equal(median([4, 1, 2, 3]), 2.5);
  t.equal(quantile([0, 10], 0.1), 1);
  t.strictSame(summarize([2, 4, 3]), { median: 3, min: 2, max: 4, spread: 2 / 3 });
  t.strictSame(pairedRatios([4, 9, 5], [2, 3, 0]), [2, 3], 'a round with a base of 0 gives no ratio');
  t.strictSame([0.12345, 12.345, 1234.5, Number.NaN].map(figure), ['0.123', '12.3', '1235', '–']);
  t.equal(aligned({ head: ['a', 'bb'], rows: [['ccc', '1']] }), 'a    bb\nccc   1');
});

t.test('fitting the scalability law to its own predictions recovers its parameters', async (t) => {
  const law = fc.record({
    gamma: fc.double({ min: 10, max: 5000, noNaN: true }),
    alpha: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    beta: fc.double({ min: 0.0005, max: 0.05, noNaN: true }),
  });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(law, ({ gamma, alpha, beta }) => {
        const levels = [1, 2, 3, 4, 6, 8].map((n) => ({ n, rate: predict({ gamma, alpha, beta }, n) }));
        const found = fitUsl(levels);
        const near = (value: number, wanted: number) => Math.abs(value - wanted) < 1e-4 * Math.max(1, wanted);
        return near(found.gamma, gamma) && near(found.alpha, alpha) && near(found.beta, beta);
      }),
    ),
  );
});

t.test(
  'a fitted law never has negative terms, and needs three different numbers of gateway processes',
  async (t) => {
    const rates = fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(rates, (all) => {
        const { alpha, beta, gamma } = fitUsl(all.map((rate, i) => ({ n: i + 1, rate })));
        return alpha >= 0 && alpha <= 1 && beta >= 0 && gamma > 0;
      }),
    );
    t.throws(
      () =>
        fitUsl([
          { n: 1, rate: 1 },
          { n: 2, rate: 2 },
        ]),
      { message: /three different numbers of gateway processes/ },
    );
  },
);

t.test('the law is reported only when the measurements determine it', async (t) => {
  const law = { gamma: 900, alpha: 0.08, beta: 0.004 };
  const measured = (shares: readonly number[]) =>
    fitUsl(
      [1, 2, 3, 4].flatMap((n) =>
        shares.map((share, i) => ({ n, rate: predict(law, n) * share ** (n - i) })),
      ),
    );
  const steady = measured([0.99, 1, 1.01]);
  t.ok(steady.isDetermined);
  t.ok(steady.intervals.alpha[0] <= 0.08 && steady.intervals.alpha[1] >= 0.08, `${steady.intervals.alpha}`);
  const rates = [700, 810, 900, 730, 1010, 620, 1400, 800, 1500, 560, 900, 1300];
  const noisy = fitUsl(rates.map((rate, i) => ({ n: 1 + Math.floor(i / 3), rate })));
  t.notOk(noisy.isDetermined);
  t.match(describeLaw({ usl: noisy }), 'not determined by these data');
  t.match(describeLaw({ usl: steady }), /falls beyond [\d.]+ gateway processes/);
});

t.test('the options of capacity are validated', async (t) => {
  const readOptions = (args: readonly string[]) => {
    const reading = readCommand(CAPACITY, args);
    return reading.kind === 'given' ? reading.wanted : reading.text;
  };
  t.match(readOptions([]), {
    mix: MIXED,
    deployment: null,
    seconds: 10,
    soakSeconds: 60,
    gateways: [1, 2, 3, 4],
  });
  const marked = ['--url', 'http://127.0.0.1:3000', '--key', 'k', '--load-test'];
  t.match(readOptions([...marked, 'spring']), { deployment: { loadTest: 'spring' } });
  t.match(readOptions([...marked, 'a b']), '--load-test must be 1 to 64');
  t.match(readOptions(['--load-test', 'spring']), '--load-test belongs to --url');
  for (const url of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) {
    t.match(readOptions(['--url', url, '--key', 'k']), { deployment: { url, keys: ['k'] }, gateways: [] });
  }
  const elsewhere = ['--url', 'https://qr.test', '--key', 'k'];
  t.match(readOptions(elsewhere), '--allow-remote', 'another machine needs an explicit option');
  t.match(readOptions([...elsewhere, '--allow-remote']), { deployment: { url: 'https://qr.test' } });
  for (const wrong of [
    ['--slo', 'fast'],
    ['--mix', 'peer 300'],
    ['--url', 'http://qr.test'],
    ['--url', 'qr', '--key', 'k'],
    ['--seconds', '0'],
    ['--soak', 'long'],
    ['--arrivals', 'late'],
    ['--slo', 'p99[bulk 100]=1s'],
    ['--gateways', '1,2'],
    ['--gateways', '1,2,x'],
    ['--plan', 'a.yaml', '--gateways', '1,2'],
    ['--check'],
  ]) {
    t.type(readOptions(wrong), 'string', wrong.join(' '));
  }
});

t.test('a report names the command that repeats the run, without the key', async (t) => {
  const typed = ['/somewhere/dist/bench/capacity/main.js', '--mix', 'redirect=60,render miss 300=40'];
  const again = 'node dist/bench/capacity/main.js --mix "redirect=60,render miss 300=40"';
  t.equal(commandOf(typed), again);
  t.equal(commandOf([...typed, '--key', 'secret', '--soak', '1']), `${again} --key … --soak 1`);
  t.equal(commandOf([...typed, '--key=secret']), `${again} --key …`);
});

t.test('mixes are parsed, and their recipes drawn by weight', async (t) => {
  t.equal(parseMix('mixed'), MIXED);
  t.strictSame(parseMix('redirect=3, render miss 300'), [
    ['redirect', 3],
    ['render miss 300', 1],
  ]);
  const unknown = 'there is no request "redirekt" to the gateway; use mixed, or any of ';
  t.throws(() => parseMix('redirekt'), { message: unknown });
  t.throws(() => parseMix('redirect=0'), { message: 'must be a number above 0' });
  t.equal(
    codesARequest([
      ['bulk 10', 1],
      ['redirect', 1],
    ]),
    5,
  );

  const pick = createPicker(MIXED);
  const drawn = Array.from({ length: 10_000 }, (_, serial) => pick(serial));
  for (const [name, weight] of MIXED) {
    const share = drawn.filter((recipe) => recipe === recipeOf(name)).length / drawn.length;
    t.ok(Math.abs(share - weight / 100) < 0.005, `${name}: ${share}`);
  }
});

t.test('a recipe builds the same request for the same serial number, and another for the next', async (t) => {
  const codes = ['c', 'd'].map((id) => ({ id, key: 'tsr_x' }));
  const aim = {
    ...plainAim('r', 'tsr_x'),
    slugs: ['a', 'b'],
    uris: ['/01/1', '/01/2'],
    codes,
    largeCodes: codes,
    secret: { id: '6f3c2b1a-9d8e-4f70-a1b2-c3d4e5f60718', secret: 'tss_0' },
    logo: 'data:image/png;base64,AA==',
  };
  for (const [name, recipe] of Object.entries(RECIPES)) {
    t.strictSame(recipe.build(aim, 7), recipe.build(aim, 7), name);
    if (name !== 'bare') t.notSame(recipe.build(aim, 7), recipe.build(aim, 8), name);
    const texts = recipe.texts(aim, 7);
    if (texts !== null) t.equal(texts.length, recipe.codes, name);
    const period = recipe.period(aim);
    if (Number.isFinite(period)) t.strictSame(recipe.build(aim, 7 + period), recipe.build(aim, 7), name);
  }
});

t.test('every target names scenarios of the run and is judged round by round', async (t) => {
  const names = SCENARIOS.map(({ name }) => name);
  for (const target of TARGETS) t.ok(names.includes(target.of) && names.includes(target.to), target.of);

  const measured = ['redirect', 'bare'].map((name, index) => ({
    scenario: SCENARIOS.find((scenario) => scenario.name === name)!,
    rounds: [60, 70, 80].map((rate) => ({
      ...roundOf(index === 0 ? rate : 100),
      serverCpuMs: index === 0 ? rate / 10 : 2,
    })),
  }));
  const outcomes = judge(measured, TARGETS);
  t.equal(outcomes.length, 2);
  t.match(outcomes[0], { ratio: { median: 0.7, min: 0.6, max: 0.8 }, isMet: true });
  const dear = { target: { measure: 'serverCpuMs' }, ratio: { median: 3.5, min: 3, max: 4 }, isMet: false };
  t.match(outcomes[1], dear, 'for processor time the target is a maximum');
});

const readings = (factor: (name: string) => number): Readings =>
  Object.fromEntries(
    MEASURES.filter(({ name }) => name !== CALIBRATION).map((measure) => {
      const value = factor(measure.name);
      return [measure.name, { toCalibration: value, toBare: hasBareYardstick(measure) ? 10 * value : null }];
    }),
  );

t.test('the guard', async (t) => {
  const runs = [0.98, 1, 1.03].map((noise) => readings(() => noise));
  const baseline: Baseline = baselineOf(runs, 'a machine');
  const slower = (changes: ReturnType<typeof changesOf>) =>
    changes.filter(({ verdict }) => verdict === 'slower').map(({ name }) => name);

  t.test('passes the runs that its tolerances were derived from', async (t) => {
    for (const run of runs) t.strictSame(slower(changesOf(baseline, run)), []);
  });

  t.test('detects 30 % more in any microbenchmark', async (t) => {
    for (const { name } of MEASURES.filter(
      ({ kind, name }) => kind === 'microbenchmark' && name !== CALIBRATION,
    )) {
      t.strictSame(
        slower(
          changesOf(
            baseline,
            readings((other) => (other === name ? 1.3 : 1)),
          ),
        ),
        [name],
      );
    }
  });

  t.test('detects 30 % more even when the calibration was disturbed', async (t) => {
    const restless = baselineOf(
      [0.5, 1, 1.5].map((noise) => readings(() => noise)),
      'a machine',
    );
    t.ok(
      slower(
        changesOf(
          restless,
          readings((name) => (name === 'draw plain' ? 1.3 : 1)),
        ),
      ).includes('draw plain'),
    );
  });

  t.test('reports nothing when only one yardstick moved', async (t) => {
    const moved = Object.fromEntries(
      Object.entries(readings(() => 1)).map(([name, { toCalibration, toBare }]) => [
        name,
        toBare === null ? { toCalibration, toBare } : { toCalibration: 2 * toCalibration, toBare },
      ]),
    );
    t.strictSame(slower(changesOf(baseline, moved)), []);
  });

  t.test('reports only a slow-down that two runs agree on', async (t) => {
    const once = readings((name) => (name === 'draw plain' || name === 'draw styled' ? 1.3 : 1));
    const again = readings((name) => (name === 'draw plain' ? 1.25 : 1));
    const [first, second] = [changesOf(baseline, once), changesOf(baseline, again)];
    t.strictSame(slower(first), ['draw plain', 'draw styled']);
    t.strictSame(slower(milder(first, second)), ['draw plain']);
    t.strictSame(slower(milder(second, first)), ['draw plain']);
  });

  t.test('reports improvements, and throws when a measure is missing', async (t) => {
    const faster = changesOf(
      baseline,
      readings(() => 0.5),
    ).filter(({ verdict }) => verdict === 'faster');
    t.equal(faster.length, MEASURES.length - 2);
    t.throws(() => changesOf(baseline, {}), { message: /was not measured/ });
  });

  t.test('ignores disturbed samples', async (t) => {
    const samples = Object.fromEntries(
      MEASURES.map(({ name }) => [
        name,
        [1, 1, 1, 1, 1, 1, 1, 1, 9, 9].map((ms) => (name === CALIBRATION ? 2 * ms : ms)),
      ]),
    );
    t.equal(readingsOf(samples)['draw plain']?.toCalibration, 0.5);
  });
});
