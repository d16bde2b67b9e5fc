/** Comparisons, exports and requirements of saved reports. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { type Change, compareReports, type Verdict, verdictOf } from '../../bench/compare/compare.ts';
import { figuresAsCsv, figuresAsMetrics, sendOtlp } from '../../bench/compare/export.ts';
import { figuresOf } from '../../bench/compare/figures.ts';
import { together } from '../../bench/compare/ratio.ts';
import { parseReport, ReportFault, readReports, type SavedReport } from '../../bench/compare/read.ts';
import { checkRequirements, missedOf } from '../../bench/compare/require.ts';
import { changeTable, compareSaved, sentences, useSaved } from '../../bench/compare/saved.ts';
import { sourceOf } from '../../bench/files.ts';
import { VERSION } from '../../bench/reports/files.ts';
import type { BenchReport, CapacityReport } from '../../bench/reports/report.ts';
import { SCENARIOS } from '../../bench/stages/scenarios.ts';
import { createRandom } from '../../bench/stats.ts';
import { checkMetrics } from '../support/promtool.ts';
import { bench, capacity } from './reports.ts';
import { roundOf } from './results.ts';

const saved = (report: BenchReport | CapacityReport, file = 'a.json'): SavedReport =>
  parseReport(file, JSON.stringify({ version: VERSION, ...report }));

/** A report with realistically scattered rounds. `rates` are the mean rates of the scenarios. */
const noisy = (seed: number, rates: Readonly<Record<string, number>>, rounds = 3): SavedReport => {
  const random = createRandom(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const round = (rate: number) => {
    const { result: _, ...measured } = roundOf(rate * Math.exp(0.04 * gauss()));
    return { ...measured, serverCpuMs: 0.1 * Math.exp(0.03 * gauss()), result: undefined as never };
  };
  const measured = Object.entries(rates).map(([name, rate]) => ({
    scenario: { ...SCENARIOS[0]!, name },
    rounds: Array.from({ length: rounds }, () => round(rate)),
  }));
  return saved({ ...bench, measured, outcomes: [], latencies: [] });
};

const changesOf = (before: readonly SavedReport[], after: readonly SavedReport[]): readonly Change[] =>
  compareReports(before, after).changes;

const RATES = Object.fromEntries(SCENARIOS.slice(-6).map(({ name }, i) => [name, 100 * (i + 1)]));

t.test('two runs of the same program hardly differ', async (t) => {
  const counts: Record<Verdict, number> = { slower: 0, faster: 0, 'the same': 0, 'not determined': 0 };
  for (let seed = 1; seed <= 12; seed += 1)
    for (const { verdict } of changesOf([noisy(2 * seed, RATES)], [noisy(2 * seed + 1, RATES)]))
      counts[verdict] += 1;
  const all = Object.values(counts).reduce((total, count) => total + count, 0);
  t.ok(counts.slower + counts.faster <= all / 500, `false alarms: ${JSON.stringify(counts)}`);
  t.ok(counts['the same'] > all / 20, 'some figures are recognised as the same');
});

t.test('a rate that fell by a third is found, and no other figure is blamed', async (t) => {
  let found = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const changes = changesOf(
      [noisy(seed, RATES)],
      [noisy(seed + 50, { ...RATES, redirect: 0.67 * RATES.redirect! })],
    );
    if (changes.find(({ name }) => name === 'redirect')?.verdict === 'slower') found += 1;
    const others = changes.filter(({ name, verdict }) => name !== 'redirect' && verdict === 'slower');
    t.ok(others.length <= 1, 'other figures are not called slower');
  }
  t.ok(found >= 5, `found in ${found} of 6 comparisons`);
  const [back] = changesOf([noisy(3, { redirect: 67 })], [noisy(4, { redirect: 100 })]);
  t.equal(back?.verdict, 'faster', 'faster the other way round');
});

t.test('swapping the sides of a comparison gives the opposite verdict', async (t) => {
  const opposite = {
    slower: 'faster',
    faster: 'slower',
    'the same': 'the same',
    'not determined': 'not determined',
  };
  const ratio = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(ratio, ratio, fc.boolean(), (one, other, isHigherGood) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const verdict = verdictOf({ low, high }, isHigherGood);
      t.equal(verdictOf({ low: 1 / high, high: 1 / low }, isHigherGood), opposite[verdict]);
      t.equal(verdictOf({ low, high }, !isHigherGood), opposite[verdict]);
    }),
    {
      examples: [
        [0.5, 0.9, true],
        [1.06, 3, true],
        [0.98, 1.04, true],
      ],
    },
  );
});

t.test('the more figures are compared, the surer each verdict must be', async (t) => {
  const ratio = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(ratio, ratio, fc.integer({ min: 1, max: 1000 }), (one, other, count) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const wide = together({ low, high }, count);
      t.ok(wide.low <= low * 1.001 && wide.high >= high / 1.001);
      t.ok(
        wide.high / wide.low <=
          together({ low, high }, count + 1).high / together({ low, high }, count + 1).low,
      );
      const [sure, alone] = [verdictOf({ low, high }, true, count), verdictOf({ low, high }, true)];
      if (sure !== alone) t.ok(sure === 'not determined' || sure === 'the same');
    }),
  );
  const { low, high } = together({ low: Math.exp(-2.576), high: Math.exp(2.576) }, 100);
  // The quantiles of the normal distribution for 1 and for 0.01 %, two-sided.
  t.ok(Math.abs(Math.log(high) - 3.8906) < 1e-3 && Math.abs(Math.log(low) + 3.8906) < 1e-3);
});

t.test('more rounds narrow the interval, and the same reports always give the same interval', async (t) => {
  const width = (rounds: number) => {
    const [change] = changesOf([noisy(1, RATES, rounds)], [noisy(2, RATES, rounds)]);
    return change!.high / change!.low;
  };
  t.ok(width(20) < width(3), `${width(20)} < ${width(3)}`);
  t.equal(width(3), width(3));
});

t.test('for single measurements the spread is assumed, and marked as such', async (t) => {
  const slow = { ...capacity, found: { ...capacity.found, ratePerS: 50 } };
  const rateOf = (after: CapacityReport) =>
    changesOf([saved(capacity)], [saved(after)]).find(({ name }) => name === 'capacity');
  t.match(rateOf(slow), { ratio: 0.5, isAssumed: true, verdict: 'slower' });
  const near = { ...capacity, found: { ...capacity.found, ratePerS: 90 } };
  t.match(rateOf(near), { verdict: 'not determined' });
  const comparison = compareReports([saved(capacity)], [saved(near)]);
  t.match(sentences(comparison).join(' '), /\* was measured once/);
  t.match(changeTable(comparison).rows[0], ['capacity', '100', '90', '0.9', / \*$/, 'not determined']);
});

t.test('several reports on a side count as its rounds', async (t) => {
  const at = (ratePerS: number) => saved({ ...capacity, found: { ...capacity.found, ratePerS } });
  const changes = changesOf([100, 101, 99, 100].map(at), [88, 89, 88, 87].map(at));
  t.match(
    changes.find(({ name }) => name === 'capacity'),
    { before: 100, after: 88, isAssumed: false, verdict: 'slower' },
  );
});

t.test('notes and errors explain what cannot be compared', async (t) => {
  const busy = { ...bench, machine: { ...bench.machine, load: 3 } };
  const half = {
    ...busy,
    measured: bench.measured.map(({ scenario }) => ({ scenario, rounds: [roundOf(10), roundOf(11)] })),
  };
  const comparison = compareReports([saved(bench)], [saved(half)]);
  t.match(comparison.notes.join(' '), 'A machine was busy');
  t.notOk(comparison.changes.some(({ verdict, kind }) => verdict === 'slower' && kind !== 'cost'));

  const costOf = (goodPerS: number) => {
    const rounds = [1, 2, 3].map(() => ({ ...roundOf(goodPerS), serverCpuMs: 1 }));
    const after = saved({ ...bench, measured: bench.measured.map(({ scenario }) => ({ scenario, rounds })) });
    return changesOf([saved(bench)], [after]).find(({ name }) => name === 'redirect: server CPU ms');
  };
  t.equal(costOf(140)?.verdict, 'slower', 'ten times the processor time at about the same rate');
  t.equal(
    costOf(15)?.verdict,
    'not determined',
    'the same at a tenth of the rate, where an answer costs more anyway',
  );

  const other = { ...bench, machine: { ...bench.machine, cores: 8 } };
  t.match(compareReports([saved(bench)], [saved(other)]), {
    notes: [/The machines differ.*2 cores.*8 cores/],
  });
  t.throws(() => compareReports([saved(bench)], [saved(capacity)]), {
    message: 'the reports have no figure in common',
  });
  const strict = {
    ...capacity,
    slo: { ...capacity.slo, objectives: [{ percentile: 99, kind: null, ms: 50 }] },
  };
  t.throws(() => compareReports([saved(capacity)], [saved(strict)]), {
    message: /the searches differ.*100 ms.*50 ms/,
  });
});

t.test('an unreadable report is rejected with its name and the reason', async (t) => {
  const folder = t.testdir({
    'list.json': '[]',
    'text.json': 'bench',
    'other.json': '{"version":2,"measured":1}',
    'bench-old.json': JSON.stringify({ version: 1, ...bench }),
    'bench-part.json': JSON.stringify({
      version: VERSION,
      ...bench,
      measured: [{ scenario: { name: 'x' }, rounds: [{}] }],
    }),
    empty: {},
  });
  for (const [name, fault] of [
    ['list.json', 'is not a report'],
    ['text.json', 'is not JSON'],
    ['other.json', 'is not a report of npm run bench or npm run capacity'],
    ['bench-old.json', `is a report of version 1, and this build reads version ${VERSION}: measure again`],
    ['bench-part.json', 'is not a complete report: /measured/0/scenario must have'],
    ['empty', 'has no report'],
    ['absent.json', 'there is no file or folder'],
  ] as const) {
    const thrown = await readReports([join(folder, name)]).catch((error: Error) => error);
    t.type(thrown, ReportFault, name);
    t.match((thrown as Error).message, fault);
    t.match((thrown as Error).message, name);
  }
});

t.test(
  'the published schema is valid, of the version of the reports, and describes what they have',
  async (t) => {
    const schema = JSON.parse(readFileSync(sourceOf('reports/schema.json'), 'utf8'));
    t.ok(new Ajv2020().validateSchema(schema));
    for (const [report, name] of [
      [bench, 'bench'],
      [capacity, 'capacity'],
    ] as const) {
      const { properties, required } = schema.$defs[name];
      t.equal(properties.version.const, VERSION);
      t.strictSame(Object.keys(properties), required);
      const whole = { version: VERSION, ...report };
      for (const field of required) {
        const { [field]: _, ...rest } = whole as Record<string, unknown>;
        t.throws(
          () => parseReport('a.json', JSON.stringify(rest)),
          { message: /^a\.json is / },
          `${name} without ${field}`,
        );
      }
    }
    const parts = { outcomes: capacity.found.steps[0]!.result, tally: capacity.found.steps[0]!.result.tally };
    for (const [name, part] of Object.entries({
      ...parts,
      machine: bench.machine,
      percentiles: parts.outcomes.latencyMs,
    }))
      t.hasOwnProps(part, schema.$defs[name].required, `every ${name} has what the schema names`);
  },
);

t.test('every figure has a unique name, is exported once per round, and is a valid metric', async (t) => {
  const reports = [saved(bench), saved(capacity)];
  const figures = reports.flatMap(figuresOf);
  t.equal(new Set(figures.map(({ name }) => name)).size, figures.length);
  const rows: Record<string, string>[] = parse(figuresAsCsv(reports), { columns: true });
  t.equal(
    rows.length,
    figures.reduce((total, { values }) => total + values.length, 0),
  );
  t.match(
    rows.find(({ figure, round }) => figure === 'redirect' && round === '2'),
    { at: bench.at, commit: 'abc', report: 'bench', measure: 'good/s', value: '200' },
  );
  const metrics = await figuresAsMetrics(reports);
  t.match(metrics, /^tessera_bench_answers_per_second\{scenario="redirect"\} 150$/m);
  t.match(metrics, /^tessera_bench_latency_p99_seconds\{scenario="mixed",load="0.5"\} 0\.009$/m);
  t.match(metrics, /^tessera_bench_capacity_requests_per_second\{search="redirect=1 at .*"\} 100$/m);
  t.match(await checkMetrics(metrics), { code: 0, output: '' });
});

t.test('figures are sent to a collector as OTLP, and what it refuses is told', async (t) => {
  const taken: string[] = [];
  let answer = '{}';
  const collector = createServer(async (request, response) => {
    taken.push(`${request.url} ${await text(request)}`);
    response.writeHead(answer === '' ? 503 : 200).end(answer);
  }).listen(0, '127.0.0.1');
  t.teardown(() => collector.close());
  await new Promise((resolve) => collector.once('listening', resolve));
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const reports = [saved(bench), saved(capacity)];
  await sendOtlp(`${url}/`, reports);
  const [path, json] = taken[0]!.split(/ (.*)/s) as [string, string];
  t.equal(path, '/v1/metrics');
  const [{ scopeMetrics }] = JSON.parse(json).resourceMetrics;
  const { metrics } = scopeMetrics[0];
  const points = metrics.flatMap(({ gauge }: { gauge: { dataPoints: unknown[] } }) => gauge.dataPoints);
  t.equal(points.length, reports.flatMap(figuresOf).length + reports.length);
  t.match(
    metrics.find(({ name }: { name: string }) => name === 'tessera_bench_latency_p99_seconds'),
    { unit: 's', gauge: { dataPoints: [{ timeUnixNano: '1795219200000000000', asDouble: 0.0045 }] } },
  );
  for (const [given, fault] of [
    ['', 'answered 503'],
    ['{"partialSuccess":{"rejectedDataPoints":"3"}}', 'took a part only'],
  ] as const) {
    answer = given;
    await t.rejects(sendOtlp(url, reports), { message: fault });
  }
  await t.rejects(sendOtlp('http://127.0.0.1:9', reports), { message: 'cannot be reached' });
});

t.test('missed requirements are reported, and names of figures are matched', async (t) => {
  const figures = figuresOf(saved(bench));
  const missed = (name: string, value: number) => missedOf(figures, [{ name, value }]);
  t.strictSame(missed('redirect', 150), []);
  t.strictSame(missed('miss 300', 2000), ['render miss 300 is 150 good/s, and at least 2000 is required']);
  t.strictSame(missed('redirect at 50 %: p99 ms', 9), [], 'a time must be at most the number');
  t.match(missed('redirect at 50 %: p99 ms', 8), [/is 9 p99 ms, and at most 8 is required/]);
  t.throws(() => missed('300', 1), { message: 'there is no figure "300"' }, 'several names end like this');
  t.throws(() => missed('redirct', 1), { message: /did you mean "redirect"\? There are:\n.*redirect/ });
  const run = {
    rounds: 1,
    seconds: 1,
    warmUpS: 0,
    folder: '',
    scenarios: SCENARIOS,
    stages: ['compare' as const, 'latency' as const],
  };
  for (const { name } of figures)
    t.doesNotThrow(() => checkRequirements(run, [{ name, value: 1 }]), `${name} is valid before a run`);
  const few = { ...run, scenarios: [SCENARIOS[0]!] };
  t.throws(() => checkRequirements(few, [{ name: 'redirect', value: 1 }]), { message: 'there is no figure' });
});

t.test('saved reports in folders are compared, exported and checked for requirements', async (t) => {
  const written = t.capture(process.stdout, 'write');
  const text = JSON.stringify({ version: VERSION, ...bench });
  const slow = {
    ...bench,
    measured: bench.measured.map(({ scenario }) => ({ scenario, rounds: [roundOf(30), roundOf(31)] })),
  };
  const busy = { ...slow, machine: { ...bench.machine, load: 9 } };
  const folder = t.testdir({
    before: { 'bench.json': text },
    after: { 'bench.json': JSON.stringify({ version: VERSION, ...slow }) },
    busy: { 'bench.json': JSON.stringify({ version: VERSION, ...busy }) },
  });
  const path = (name: string) => join(folder, name);
  t.equal(await compareSaved(path('before'), path('before')), 0);
  t.equal(await compareSaved(path('before'), path('after')), 1, 'something is slower');
  t.equal(await compareSaved(path('before'), path('busy')), 3, 'a busy machine proves nothing');
  const uses = {
    csv: path('x.csv'),
    openmetrics: path('x.prom'),
    otlp: undefined,
    required: [{ name: 'redirect', value: 100 }],
  };
  t.equal(await useSaved([path('before')], uses), 0);
  t.equal(await useSaved([path('after')], uses), 1);
  t.match(readFileSync(uses.csv, 'utf8'), /^at,commit,report/);
  t.match(readFileSync(uses.openmetrics, 'utf8'), /^# HELP[\s\S]*\n# EOF\n$/);
  t.match(
    written()
      .map(({ args }) => String(args[0]))
      .join(''),
    'redirect is 30.5 good/s, and at least 100 is required',
  );
});
