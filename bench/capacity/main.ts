/**
 * `npm run capacity -- --slo p99=100ms --mix "redirect=50,render miss 300=50"` finds the highest rate of requests that
 * meets an objective.
 *
 * `npm run capacity -- --plan bench/model/plan.example.yaml` answers such a plan without load, from the figures of
 * `npm run bench:model`; with `--check` it loads a gateway with the mix and prints the error of the model.
 */
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { commandLine, misuseBy } from '../../test/support/command.ts';
import { coordinate, greetAgents } from '../agents/coordinate.ts';
import { AgentFault, readSecret } from '../agents/wire.ts';
import type { Part } from '../cpu.ts';
import { TargetFault } from '../load/aim.ts';
import { checkMix } from '../load/correct.ts';
import { startGenerator } from '../load/fire.ts';
import { codesARequest, describeMix } from '../load/mix.ts';
import { describeMachine } from '../machine.ts';
import { ERROR_MAX } from '../model/check.ts';
import { lawOf } from '../model/curve.ts';
import { readModel } from '../model/files.ts';
import { isKind } from '../model/kinds.ts';
import { peakOf } from '../model/measure/levels.ts';
import { startSubject } from '../model/measure/subject.ts';
import { writeReport } from '../reports/files.ts';
import { costTable, describeLaw, headline, kindTable } from '../reports/tables.ts';
import { figure, say, show } from '../say.ts';
import { answerPlan, offerToMeasure } from './answer-plan.ts';
import { findCapacity, givenTarget, ownTarget } from './find.ts';
import { CAPACITY, type CapacityOptions } from './options.ts';
import { type PlanInput, planFor } from './plan.ts';
import { NO_RATE } from './search.ts';
import { describeSlo } from './slo.ts';
import type { Step } from './step.ts';
import { fitUsl, type Level } from './usl.ts';

const LEVEL_ROUNDS = 3;

const showStep = ({ phase, result, missed, faults }: Step): void => {
  const { askedPerS, goodPerS, latencyMs, seconds } = result;
  const [p50, p95, p99, p999] = [latencyMs.p50, latencyMs.p95, latencyMs.p99, latencyMs.p999].map(figure);
  const rates = `${figure(askedPerS)} asked/s for ${figure(seconds)} s, ${figure(goodPerS)} good/s`;
  const doubt = faults.length === 0 ? '' : `; does not count: ${faults.join(', ')}`;
  say(
    `${phase.padEnd(6)}  ${rates}; p50 ${p50}, p95 ${p95}, p99 ${p99}, p99.9 ${p999} ms; ${missed ?? 'held'}${doubt}`,
  );
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
    await checkMix(mix, target.url, target.aim);
    return findCapacity(target, await generatorOf(scope, options), {
      ...options,
      onThroughput: (goodPerS) =>
        say(`closed loop: ${figure(goodPerS)} good/s; the search begins at an eighth of it`),
      onStep: showStep,
    });
  });

/**
 * Measures the throughput of the mix by number of gateway processes, each time on new stores, and fits the law. The
 * numbers alternate, so that a busy minute does not hit one of them alone.
 */
const fitGateways = async ({ gateways, mix, seconds }: CapacityOptions) => {
  if (gateways.length === 0) return null;
  say('\nthroughput of the mix by number of gateway processes, each number on its own stores:');
  const levels: Level[] = [];
  for (let round = 0; round < LEVEL_ROUNDS; round += 1)
    for (const n of gateways)
      await inScope(async (scope) => {
        const generator = startGenerator(scope);
        const subject = await startSubject(scope, generator, { name: `level-${n}`, mix, processes: n });
        const { callsPerS: rate } = await peakOf(subject, mix, { generator, seconds });
        levels.push({ n, rate });
        say(`  ${n === 1 ? 'one process' : `${n} processes`}: ${figure(rate)} good/s`);
      });
  return { levels, usl: fitUsl(levels) };
};

/** The plan for several machines; `null` when the model lacks a kind of the mix. */
const planOf = async (options: CapacityOptions, found: Omit<PlanInput, 'law' | 'mix'>) => {
  const law = lawOf(await readModel(options.model));
  const missing = options.mix.filter(([kind]) => !law.kinds.has(kind)).map(([kind]) => kind);
  if (missing.length === 0) return planFor({ ...found, law, mix: Object.fromEntries(options.mix) });
  const offer = missing.every(isKind) ? `. ${offerToMeasure(missing)}` : '';
  say(`no plan: the cost model has no costs of ${missing.join(', ')}${offer}`);
  return null;
};

const run = async (options: CapacityOptions): Promise<void> => {
  const { slo, mix, deployment } = options;
  const machine = describeMachine();
  say(`objective: ${describeSlo(slo)}; mix: ${describeMix(mix)}`);
  say(
    deployment === null
      ? `${machine.cpu}, ${machine.cores} cores, load ${figure(machine.load)}; the load generator, Redis and Postgres run here too`
      : `${deployment.url}, loaded from this machine; the load uses units of the key's account`,
  );
  const { found, us } = await measure(options);
  const codes = codesARequest(mix);
  const { ratePerS, soak } = found;
  say(`\n${headline(found, codes)}`);
  if (soak === null) {
    process.exitCode = found.undetermined === NO_RATE ? 1 : 3;
    return;
  }
  const { tally } = soak.result;
  const bytesAnAnswer = tally.bytes / Math.max(1, tally.good);
  const ms = (part: Part) => us && us[part] / 1000;
  const cost = { gatewayMs: ms('gateway'), redisMs: ms('redis'), postgresMs: ms('postgres') };
  const plan = await planOf(options, { ratePerS, codesARequest: codes, bytesAnAnswer, us });
  const gateways = await fitGateways(options);

  const url = deployment?.url ?? null;
  const report = { machine, slo, mix, url, found, cost, bytesAnAnswer, plan, gateways };
  show(kindTable(soak.result));
  say(`\nof the last soak: ${soak.seen}`);
  if (gateways !== null) say(describeLaw(gateways));
  show(costTable(report));
  for (const sentence of plan?.sentences ?? []) say(`- ${sentence}`);
  if (Math.abs(plan?.error ?? 0) > ERROR_MAX)
    say(`the cost model does not fit this machine: ${offerToMeasure(mix.map(([kind]) => kind))}`);
  await writeReport(options.folder, 'capacity.json', report);
};

const options = commandLine(CAPACITY).wanted;
if (options.plan === null) await run(options).catch(misuseBy(TargetFault, AgentFault));
else process.exitCode = await answerPlan(options.plan, options);
