/**
 * `npm run bench:guard` reports whether the tree has become slower than `bench/baseline.json`.
 *
 * It compares only ratios of processor times within one run, never absolute times or wall-clock time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inScope } from '../../test/servers/scope.ts';
import { commandLine } from '../../test/support/command.ts';
import { GUARD } from '../commands.ts';
import { describeMachine, hardwareOf } from '../machine.ts';
import { percent, say, show, tableOf } from '../say.ts';
import * as baselines from './baseline.ts';
import { sample } from './sample.ts';

/** Relative to the project folder, where npm runs scripts. */
const BASELINE = 'bench/baseline.json';

const { values: options } = commandLine(GUARD);

const run = (rounds = Number(options.rounds)): Promise<baselines.Readings> =>
  inScope(async (scope) => baselines.readingsOf(await sample(scope, rounds)));

const readBaseline = (): baselines.Baseline => {
  if (!existsSync(BASELINE)) throw new Error(`${BASELINE} is missing: make one with --calibrate 20`);
  return JSON.parse(readFileSync(BASELINE, 'utf8')) as baselines.Baseline;
};

const save = (baseline: baselines.Baseline): void =>
  writeFileSync(BASELINE, `${JSON.stringify(baseline, null, 2)}\n`);

const showChanges = (changes: readonly baselines.Change[]): void =>
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

const namesOf = (changes: readonly baselines.Change[], verdict: baselines.Change['verdict']): string[] =>
  changes.filter((change) => change.verdict === verdict).map(({ name }) => name);

const calibrate = async (runs: number): Promise<void> => {
  const all: baselines.Readings[] = [];
  for (let n = 1; n <= runs; n += 1) {
    all.push(await run());
    say(`run ${n} of ${runs} is done`);
  }
  const baseline = baselines.baselineOf(all, hardwareOf(describeMachine()));
  save(baseline);
  const passed = all.filter((one) => namesOf(baselines.changesOf(baseline, one), 'slower').length === 0);
  show(
    tableOf(Object.entries(baseline.entries), [
      ['processor time of', ([name]) => name],
      ['to calibration', ([, { toCalibration }]) => toCalibration],
      ['to bare', ([, { toBare }]) => toBare],
      ['tolerance', ([, { tolerance }]) => percent(tolerance)],
    ]),
  );
  say(`${passed.length} of ${runs} runs of this tree pass`);
};

const update = async (): Promise<void> => {
  const known = existsSync(BASELINE) ? readBaseline().entries : {};
  const { entries, ...rest } = baselines.baselineOf([await run()], hardwareOf(describeMachine()));
  const kept = Object.entries(entries).map(([name, entry]) => {
    const { tolerance } = known[name] ?? entry;
    return [name, { ...entry, tolerance }];
  });
  save({ ...rest, entries: Object.fromEntries(kept) });
  say(`${BASELINE} is written`);
};

/**
 * A suspected slow-down is measured again, longer and in fresh processes, so that a short disturbance fails nothing.
 */
const guard = async (): Promise<void> => {
  const baseline = readBaseline();
  let changes = baselines.changesOf(baseline, await run());
  const suspects = namesOf(changes, 'slower');
  if (suspects.length > 0) {
    showChanges(changes);
    say(`measuring again, for longer, because of: ${suspects.join(', ')}`);
    const again = baselines.changesOf(baseline, await run(2 * Number(options.rounds)));
    changes = baselines.milder(changes, again);
  }
  showChanges(changes);
  const [slower, faster] = [namesOf(changes, 'slower').length, namesOf(changes, 'faster').length];
  if (faster > 0) say(`${faster} became faster: record that with npm run bench:guard -- --update`);
  say(`${slower === 0 ? 'nothing' : slower} became slower beyond its tolerance`);
  process.exitCode = slower === 0 ? 0 : 1;
};

if (options.calibrate !== undefined) await calibrate(Number(options.calibrate));
else if (options.update) await update();
else await guard();
