/**
 * `npm run capacity -- --slo p99=100ms --mix "redirect=50,render miss 300=50"` finds the highest rate of requests that
 * meets an objective.
 *
 * `npm run capacity -- --plan bench/model/plan.example.yaml` answers such a plan without load, from the figures of
 * `npm run bench:model`; with `--check` it loads a gateway with the mix and prints the error of the model.
 */
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { coordinate, greetAgents } from '../agents/coordinate.ts';
import { AgentFault, readSecret } from '../agents/wire.ts';
import { commandLine, misuse, misuseBy } from '../command/main.ts';
import { TargetFault } from '../load/aim.ts';
import { checkRecipe } from '../load/correct.ts';
import { startGenerator } from '../load/fire.ts';
import { codesARequest, describeMix } from '../load/mix.ts';
import { recipeOf } from '../load/recipes.ts';
import { describeMachine } from '../machine.ts';
import { costTable, describeLaw, headline, kindTable, planTable } from '../reports/capacity-tables.ts';
import { writeReport } from '../reports/files.ts';
import { figure, say, show } from '../say.ts';
import { answerPlan } from './answer-plan.ts';
import { findCapacity } from './find.ts';
import { CAPACITY, type CapacityOptions, optionsOf } from './options.ts';
import { planFor } from './plan.ts';
import { NO_RATE } from './search.ts';
import { describeSlo } from './slo.ts';
import type { Step } from './step.ts';
import { type CapacityTarget, givenTarget, ownTarget } from './target.ts';
import { measureLevels } from './threads.ts';
import { fitUsl } from './usl.ts';

const THREAD_ROUNDS = 3;

const showStep = ({ phase, result, missed, faults }: Step): void => {
  const { askedPerS, goodPerS, latencyMs, seconds } = result;
  const [p50, p95, p99, p999] = [latencyMs.p50, latencyMs.p95, latencyMs.p99, latencyMs.p999].map(figure);
  const rates = `${figure(askedPerS)} asked/s for ${figure(seconds)} s, ${figure(goodPerS)} good/s`;
  const doubt = faults.length === 0 ? '' : `; does not count: ${faults.join(', ')}`;
  say(
    `${phase.padEnd(6)}  ${rates}; p50 ${p50}, p95 ${p95}, p99 ${p99}, p99.9 ${p999} ms; ${missed ?? 'held'}${doubt}`,
  );
};

const check = async ({ url, aim }: CapacityTarget, { mix }: CapacityOptions): Promise<void> => {
  for (const [name] of mix) await checkRecipe(name, recipeOf(name), url, aim);
};

const generatorOf = async (scope: Scope, { agents }: CapacityOptions) => {
  if (agents.length === 0) return startGenerator(scope);
  const secret = readSecret();
  for (const [at, { offsetMs, roundTripMs }] of (await greetAgents(agents, secret)).entries())
    say(`agent ${agents[at]}: its clock is ${figure(offsetMs)} ms ahead, to ${figure(roundTripMs / 2)} ms`);
  return coordinate(agents, secret);
};

const measure = (options: CapacityOptions) =>
  inScope(async (scope) => {
    const { deployment, mix } = options;
    const target = deployment ? await givenTarget(scope, deployment, mix) : await ownTarget(scope, mix);
    await check(target, options);
    return findCapacity(target, await generatorOf(scope, options), {
      ...options,
      onThroughput: (goodPerS) =>
        say(`closed loop: ${figure(goodPerS)} good/s; the search begins at an eighth of it`),
      onStep: showStep,
    });
  });

const fitThreads = async ({ threads, seconds }: CapacityOptions) => {
  if (threads.length === 0) return null;
  say('\nthroughput of styled codes by number of render threads, each number on its own gateway:');
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
      ? `${machine.cpu}, ${machine.cores} cores, load ${figure(machine.load)}; the load generator, Redis and Postgres run here too`
      : `${deployment.url}, loaded from this machine; the load uses units of the key's account`,
  );
  const { found, cost } = await measure(options);
  const codes = codesARequest(mix);
  const { ratePerS, soak } = found;
  say(`\n${headline(found, codes)}`);
  if (soak === null) {
    process.exitCode = found.undetermined === NO_RATE ? 1 : 3;
    return;
  }
  const { tally } = soak.result;
  const bytesAnAnswer = tally.bytes / Math.max(1, tally.good);

  const plan = planFor({ ratePerS, codesARequest: codes, bytesAnAnswer, ...cost });
  const threads = await fitThreads(options);

  const url = deployment?.url ?? null;
  const report = { machine, slo, mix, url, found, cost, bytesAnAnswer, plan, threads };
  show(kindTable(soak.result));
  say(`\nof the last soak: ${soak.seen}`);
  if (threads !== null) say(describeLaw(threads));
  show(costTable(report));
  show(planTable(plan));
  for (const assumption of plan.assumptions) say(`  - ${assumption}`);
  await writeReport(options.folder, 'capacity.json', report);
};

const options = optionsOf(commandLine(CAPACITY).values);
if (typeof options === 'string') misuse(options);
else if (options.plan !== null) {
  process.exitCode = await answerPlan(options.plan);
} else await run(options).catch(misuseBy(TargetFault, AgentFault));
