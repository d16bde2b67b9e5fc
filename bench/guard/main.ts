/**
 * `npm run bench:guard` reports whether the tree has become slower than `bench/baseline.json`.
 *
 * It compares only ratios of processor times within one run, never absolute times or wall-clock time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inScope } from '../../test/servers/scope.ts';
import { commandLine, flag, text, whole } from '../command/main.ts';
import { describeMachine } from '../machine.ts';
import { percent, say, show, tableOf } from '../say.ts';
import {
  type Baseline,
  baselineOf,
  type Change,
  changesOf,
  milder,
  type Readings,
  readingsOf,
} from './baseline.ts';
import { sample } from './sample.ts';
import { slowBuild } from './slow.ts';

const ROUNDS = 20;
const WARM_UP_ROUNDS = 3;
/** Relative to `dist/bench/guard`. */
const BASELINE = new URL('../../../bench/baseline.json', import.meta.url);

const { values: options } = commandLine({
  name: 'npm run bench:guard',
  about:
    'Reports whether the tree has become slower than bench/baseline.json: compares ratios of processor time within one run. Exits with 1 when a cost rose beyond its tolerance.',
  options: {
    update: flag('writes the ratios of this run into the baseline and keeps its tolerances'),
    calibrate: {
      ...text('runs', 'runs this many times, writes medians and tolerances, and compares each run with them'),
      ...{ least: 2, isWhole: true },
    },
    slow: text(
      'part',
      'checks the guard itself: measures a copy of the build with 30 % more work in render or quota, which must exit with 1',
    ),
    rounds: whole('rounds of each measure', ROUNDS),
    raw: text('file', 'writes the samples to this file as JSON'),
  },
  examples: [
    ['', 'compares'],
    ['--update', 'for a commit that makes something faster, or slower on purpose'],
    ['--calibrate 20', 'on an idle machine, for a new baseline'],
  ],
});

const run = (rounds = Number(options.rounds)): Promise<Readings> =>
  inScope(async (scope) => {
    const build = options.slow === undefined ? {} : { build: await slowBuild(scope, options.slow) };
    const samples = await sample(scope, { rounds, warmUpRounds: WARM_UP_ROUNDS, ...build });
    if (options.raw !== undefined) writeFileSync(options.raw, JSON.stringify(samples));
    return readingsOf(samples);
  });

const readBaseline = (): Baseline => {
  if (!existsSync(BASELINE)) throw new Error('bench/baseline.json is missing: make one with --calibrate 20');
  return JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline;
};

const save = (baseline: Baseline): void => writeFileSync(BASELINE, `${JSON.stringify(baseline, null, 2)}\n`);

const machine = (): string => {
  const { cpu, cores, node } = describeMachine('postgres');
  return `${cpu}, ${cores} cores, Node ${node}`;
};

const showChanges = (changes: readonly Change[]): void =>
  show(
    tableOf(changes, [
      ['processor time of', ({ name }) => name],
      ['calibr. was', ({ was }) => was.toCalibration],
      ['now', ({ is }) => is.toCalibration],
      ['bare was', ({ was }) => was.toBare],
      ['now', ({ is }) => is.toBare],
      ['change', ({ change }) => `${change > 0 ? '+' : ''}${percent(change)}`],
      ['tolerance', ({ was }) => percent(was.tolerance)],
      ['', ({ verdict }) => (verdict === 'held' ? '' : verdict.toUpperCase())],
    ]),
  );

const count = (changes: readonly Change[], verdict: Change['verdict']): number =>
  changes.filter((change) => change.verdict === verdict).length;

const calibrate = async (runs: number): Promise<void> => {
  const all: Readings[] = [];
  for (let n = 1; n <= runs; n += 1) {
    all.push(await run());
    say(`run ${n} of ${runs} is done`);
  }
  const baseline = baselineOf(all, machine());
  save(baseline);
  const failures = all.map((readings) => count(changesOf(baseline, readings), 'slower'));
  show(
    tableOf(Object.entries(baseline.entries), [
      ['processor time of', ([name]) => name],
      ['to calibration', ([, { toCalibration }]) => toCalibration],
      ['to bare', ([, { toBare }]) => toBare],
      ['tolerance', ([, { tolerance }]) => percent(tolerance)],
    ]),
  );
  say(`${failures.filter((failed) => failed === 0).length} of ${runs} runs of this tree pass`);
};

const update = async (): Promise<void> => {
  const readings = await run();
  const { entries } = baselineOf([readings], '');
  const known = existsSync(BASELINE) ? readBaseline().entries : {};
  const kept = Object.entries(entries).map(([name, entry]) => {
    const { tolerance } = known[name] ?? entry;
    return [name, { ...entry, tolerance }];
  });
  save({ ...baselineOf([readings], machine()), entries: Object.fromEntries(kept) });
  say('bench/baseline.json is written');
};

/**
 * Measures a suspected slow-down again, longer and in fresh processes, so that a short disturbance fails nothing.
 */
const measure = async (baseline: Baseline): Promise<readonly Change[]> => {
  const changes = changesOf(baseline, await run());
  const suspects = changes.filter(({ verdict }) => verdict === 'slower').map(({ name }) => name);
  if (suspects.length === 0) return changes;
  showChanges(changes);
  say(`measuring again, for longer, because of: ${suspects.join(', ')}`);
  return milder(changes, changesOf(baseline, await run(2 * Number(options.rounds))));
};

const guard = async (): Promise<void> => {
  const changes = await measure(readBaseline());
  showChanges(changes);
  const [slower, faster] = [count(changes, 'slower'), count(changes, 'faster')];
  if (faster > 0) say(`${faster} became faster: record that with npm run bench:guard -- --update`);
  say(
    slower === 0
      ? 'nothing became slower beyond its tolerance'
      : `${slower} became slower beyond their tolerance`,
  );
  process.exitCode = slower === 0 ? 0 : 1;
};

if (options.calibrate !== undefined) await calibrate(Number(options.calibrate));
else if (options.update) await update();
else await guard();
