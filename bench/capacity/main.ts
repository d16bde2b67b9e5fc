/**
 * `npm run capacity -- --slo p99=100ms --mix "redirect=50,render miss 300=50"` finds the highest rate of requests that
 * meets an objective.
 *
 * `npm run capacity -- --plan bench/model/plan.example.yaml` answers for such a plan without load, from the figures of
 * `npm run bench:model`; with `--check` it drives the mix of the plan and says how wrong the model is.
 */
import { inScope } from '../../test/servers/scope.ts';
import { commandLine, misuse } from '../command/main.ts';
import { checkRecipe } from '../load/correct.ts';
import { startGenerator } from '../load/fire.ts';
import { codesARequest, describeMix } from '../load/mix.ts';
import { RECIPES } from '../load/recipes.ts';
import { describeMachine } from '../machine.ts';
import { law, planTable, validity } from '../page/capacity-tables.ts';
import { writeCapacity } from '../page/files.ts';
import { figure, say, table } from '../say.ts';
import { answerPlan } from './answer-plan.ts';
import type { WitnessRun } from './confirm.ts';
import { findCapacity } from './find.ts';
import { CAPACITY, type CapacityOptions, readOptions } from './options.ts';
import { planFor } from './plan.ts';
import type { Step } from './search.ts';
import { describeSlo, reachedLimit } from './slo.ts';
import { type CapacityTarget, givenTarget, ownTarget } from './target.ts';
import { measureLevels } from './threads.ts';
import { fitUsl, type Level, type Usl } from './usl.ts';

const THREAD_ROUNDS = 3;

const showStep = ({ phase, result, missed }: Step): void => {
  const { askedPerS, sentPerS, goodPerS, latencyMs, generatorCpuMs, seconds } = result;
  const cells = [
    phase.padEnd(6),
    `${figure(askedPerS)} asked/s`.padStart(15),
    `${figure(sentPerS)} sent/s`.padStart(14),
    `${figure(goodPerS)} good/s`.padStart(14),
    `p50 ${figure(latencyMs.p50)}`.padStart(10),
    `p99 ${figure(latencyMs.p99)}`.padStart(10),
    `p99.9 ${figure(latencyMs.p999)} ms`.padStart(16),
    `gen. ${figure(generatorCpuMs / 1000 / seconds)} cores`,
    missed ?? 'held',
  ];
  say(cells.join('  '));
};

const showWitness = ({ result, missed }: WitnessRun): void =>
  say(
    `independent generator  ${figure(result.askedPerS)} asked/s  ${figure(result.goodPerS)} good/s  p50 ${figure(result.latencyMs.p50)}  p99 ${figure(result.latencyMs.p99)} ms, requests left ${figure(result.latenessMs.p99)} ms late (p99)  ${missed ?? 'held'}`,
  );

const check = async ({ url, aim }: CapacityTarget, { mix }: CapacityOptions): Promise<void> => {
  for (const [name] of mix) await checkRecipe(name, RECIPES[name], url, aim);
};

const measure = (options: CapacityOptions) =>
  inScope(async (scope) => {
    const { deployment, mix } = options;
    const target = deployment
      ? await givenTarget(deployment.url, deployment.key, mix)
      : await ownTarget(scope);
    await check(target, options);
    return findCapacity(target, startGenerator(scope), {
      ...options,
      onThroughput: (goodPerS) =>
        say(`closed loop: ${figure(goodPerS)} good/s; the search begins at an eighth of it`),
      onStep: showStep,
      onWitness: showWitness,
    });
  });

const fitThreads = async ({
  threads,
  seconds,
}: CapacityOptions): Promise<{ levels: Level[]; usl: Usl } | null> => {
  if (threads.length === 0) return null;
  say('\nthroughput of styled codes by number of render threads, each on its own gateway:');
  const levels = await measureLevels([['single styled', 1]], threads, {
    seconds,
    rounds: THREAD_ROUNDS,
    onLevel: ({ n, rate }) => say(`  ${n} threads: ${figure(rate)} good/s`),
  });
  return { levels, usl: fitUsl(levels) };
};

const run = async (options: CapacityOptions): Promise<void> => {
  const { slo, mix, deployment } = options;
  const machine = describeMachine('postgres');
  say(`objective: ${describeSlo(slo)}; mix: ${describeMix(mix)}`);
  say(
    deployment === null
      ? `${machine.cpu}, ${machine.cores} cores, load ${figure(machine.load)}; generator, Redis and Postgres run here too`
      : `${deployment.url}, loaded from this machine; this uses units of the key's account`,
  );
  const { found, confirmation, little, cost } = await measure(options);
  if (found.soak === null || confirmation === null || little === null) {
    say(
      found.steps.some(({ result }) => reachedLimit(result))
        ? 'the target answers 429: give the account more units and start its gateways with RATE_LIMIT_PER_SECOND=0'
        : 'no rate met the objective',
    );
    process.exitCode = 1;
    return;
  }
  const { ratePerS, soak } = found;
  if (ratePerS === 0) {
    say('the independent generator repeats no rate: nothing is claimed');
    process.exitCode = 1;
    return;
  }
  const codes = codesARequest(mix);
  say(`\nholds ${figure(ratePerS)} requests/s (${figure(ratePerS * codes)} codes/s)`);
  say(
    `found by the search: ${figure(confirmation.searchedPerS)}; an independent generator repeats ${figure(ratePerS)}`,
  );
  say(`soak at ${figure(soak.result.askedPerS)} requests/s: held`);
  const { tally } = soak.result;
  const bytesAnAnswer = tally.bytes / Math.max(1, tally.good);
  const plan = planFor({ ratePerS, codesARequest: codes, bytesAnAnswer, ...cost });
  const threads = await fitThreads(options);

  const report = {
    machine,
    slo,
    mix,
    url: deployment?.url ?? null,
    found,
    confirmation,
    little,
    cost,
    plan,
    threads,
  };
  say(`\n${validity(report)}`);
  if (threads !== null) say(law(threads));
  const { head, rows } = planTable(report);
  say(`\n${table(head, rows)}`);
  for (const assumption of plan.assumptions) say(`  - ${assumption}`);
  await writeCapacity(options.folder, report);
};

commandLine(CAPACITY);
const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') misuse(options);
else if (options.plan !== null) {
  const { file, model, isChecked } = options.plan;
  process.exitCode = await answerPlan(file, model, isChecked);
} else await run(options);
