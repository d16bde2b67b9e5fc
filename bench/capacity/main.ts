/**
 * `npm run capacity -- --slo p99=100ms --mix "redirect=50,render miss 300=50"` finds the highest rate of requests that
 * meets an objective.
 *
 * `npm run capacity -- --plan bench/model/plan.example.yaml` answers such a plan without load, from the figures of
 * `npm run bench:model`; with `--check` it loads a gateway with the mix and prints the error of the model.
 */
import { inScope } from '../../test/servers/scope.ts';
import { commandLine, misuse, misuseBy } from '../command/main.ts';
import { TargetFault } from '../load/aim.ts';
import { checkRecipe } from '../load/correct.ts';
import { startGenerator } from '../load/fire.ts';
import { codesARequest, describeMix } from '../load/mix.ts';
import { recipeOf } from '../load/recipes.ts';
import { describeMachine } from '../machine.ts';
import { ERROR_MAX } from '../model/check.ts';
import { lawOf } from '../model/curve.ts';
import { readModel } from '../model/files.ts';
import { kindsOf } from '../model/kinds.ts';
import { costTable, describeLaw, validity } from '../reports/capacity-tables.ts';
import { writeReport } from '../reports/files.ts';
import { figure, say, show } from '../say.ts';
import { answerPlan, offerToMeasure } from './answer-plan.ts';
import { findCapacity } from './find.ts';
import { measureLevels } from './levels.ts';
import { CAPACITY, type CapacityOptions, optionsOf } from './options.ts';
import { type PlanInput, planFor } from './plan.ts';
import type { Step } from './search.ts';
import { describeSlo, reachedLimit } from './slo.ts';
import { type CapacityTarget, givenTarget, ownTarget } from './target.ts';
import { fitUsl } from './usl.ts';

const LEVEL_ROUNDS = 3;

const showStep = ({ phase, result, missed }: Step): void => {
  const { askedPerS, sentPerS, goodPerS, latencyMs, generatorCpuMs, seconds } = result;
  const [p50, p99, p999] = [latencyMs.p50, latencyMs.p99, latencyMs.p999].map(figure);
  const rates = `${figure(askedPerS)} asked/s, ${figure(sentPerS)} sent/s, ${figure(goodPerS)} good/s`;
  const cores = figure(generatorCpuMs / 1000 / seconds);
  say(
    `${phase.padEnd(6)}  ${rates}; p50 ${p50}, p99 ${p99}, p99.9 ${p999} ms; generator ${cores} cores; ${missed ?? 'held'}`,
  );
};

const check = async ({ url, aim }: CapacityTarget, { mix }: CapacityOptions): Promise<void> => {
  for (const [name] of mix) await checkRecipe(name, recipeOf(name), url, aim);
};

const measure = (options: CapacityOptions) =>
  inScope(async (scope) => {
    const { deployment, mix } = options;
    const target = deployment ? await givenTarget(scope, deployment, mix) : await ownTarget(scope, mix);
    await check(target, options);
    return findCapacity(target, startGenerator(scope), {
      ...options,
      onThroughput: (goodPerS) =>
        say(`closed loop: ${figure(goodPerS)} good/s; the search begins at an eighth of it`),
      onStep: showStep,
    });
  });

const fitGateways = async ({ gateways, mix, seconds }: CapacityOptions) => {
  if (gateways.length === 0) return null;
  say('\nthroughput of the mix by number of gateway processes, each number on its own stores:');
  const levels = await measureLevels(mix, gateways, {
    seconds,
    rounds: LEVEL_ROUNDS,
    onLevel: ({ n, rate }) => say(`  ${n === 1 ? 'one process' : `${n} processes`}: ${figure(rate)} good/s`),
  });
  return { levels, usl: fitUsl(levels) };
};

/** The plan for several machines; `null` when the model lacks a kind of the mix. */
const planOf = async (options: CapacityOptions, found: Omit<PlanInput, 'law' | 'mix'>) => {
  const law = lawOf(await readModel(options.model));
  const missing = options.mix.filter(([kind]) => !law.kinds.has(kind)).map(([kind]) => kind);
  if (missing.length === 0) return planFor({ ...found, law, mix: Object.fromEntries(options.mix) });
  const isKnown = typeof kindsOf(missing.join(',')) !== 'string';
  say(
    `no plan: the cost model has no costs of ${missing.join(', ')}${isKnown ? `. ${offerToMeasure(missing)}` : ''}`,
  );
  return null;
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
  const { found, little, cost } = await measure(options);
  if (found.soak === null || little === null) {
    say(
      found.steps.some(({ result }) => reachedLimit(result))
        ? 'the target answers 429: give the account more units, start its gateways with RATE_LIMIT_PER_SECOND=0 and FREE_WORK_MS_PER_SECOND=0, or give the keys of several accounts'
        : 'no rate met the objective',
    );
    process.exitCode = 1;
    return;
  }
  const { ratePerS, soak } = found;
  const codes = codesARequest(mix);
  say(`\nholds ${figure(ratePerS)} requests/s (${figure(ratePerS * codes)} codes/s)`);
  say(`found by the search: ${figure(found.searchedPerS)}`);
  const { tally } = soak.result;
  const bytesAnAnswer = tally.bytes / Math.max(1, tally.good);

  const us =
    cost.gatewayMs === null || cost.redisMs === null || cost.postgresMs === null
      ? null
      : { gateway: 1000 * cost.gatewayMs, redis: 1000 * cost.redisMs, postgres: 1000 * cost.postgresMs };
  const plan = await planOf(options, { ratePerS, codesARequest: codes, bytesAnAnswer, us });
  const gateways = await fitGateways(options);

  const url = deployment?.url ?? null;
  const report = { machine, slo, mix, url, found, little, cost, bytesAnAnswer, plan, gateways };
  say(`\n${validity(report)}`);
  if (gateways !== null) say(describeLaw(gateways));
  show(costTable(report));
  for (const sentence of plan?.sentences ?? []) say(`- ${sentence}`);
  if (Math.abs(plan?.error ?? 0) > ERROR_MAX)
    say(`the cost model does not fit this machine: ${offerToMeasure(mix.map(([kind]) => kind))}`);
  await writeReport(options.folder, 'capacity.json', report);
};

const options = optionsOf(commandLine(CAPACITY).values);
if (typeof options === 'string') misuse(options);
else if (options.plan !== null) {
  process.exitCode = await answerPlan(options.plan, options.folder);
} else await run(options).catch(misuseBy(TargetFault));
