/**
 * `npm run bench` measures how fast the gateway is, compared with a bare Fastify route and with the hand-written
 * peer; how long requests take at constant rates; how the gateway behaves under overload; and whether one account
 * can crowd out another.
 */
import { createAccount } from '../test/servers/account.ts';
import { inScope, type Scope } from '../test/servers/scope.ts';
import { ADMIN_TOKEN, GATEWAY_ENV, startTestbed, type Testbed } from '../test/servers/testbed.ts';
import { commandLine, misuse } from './command/main.ts';
import { faultOfRequirements } from './compare/planned.ts';
import { ReportFault } from './compare/read.ts';
import { compareSaved, showTrend, useSaved } from './compare/saved.ts';
import { checkRecipe } from './load/correct.ts';
import { type Generator, startGenerator } from './load/fire.ts';
import { HOT_PICTURES, RECIPES, type RecipeName } from './load/recipes.ts';
import { describeMachine } from './machine.ts';
import { BENCH, type RunOptions, type Stage, type Wanted, wantedOf } from './options.ts';
import { latencyTable, ratioTable, scenarioTable, stressTable } from './page/bench-tables.ts';
import { writeBench } from './page/files.ts';
import type { BenchReport } from './page/model.ts';
import type { Table } from './page/text.ts';
import { figure, say, table } from './say.ts';
import { compare, judge, type Measured } from './stages/compare.ts';
import { fairness } from './stages/fairness.ts';
import { measureLatencies } from './stages/latency.ts';
import { overload } from './stages/overload.ts';
import { measureParts } from './stages/parts.ts';
import { type Scenario, TARGETS } from './stages/scenarios.ts';

/** Determines the contents of all codes. */
const SEED = 'c0de';

const show = ({ head, rows }: Table): void => say(`\n${table(head, rows)}`);

/** Checks one answer of every recipe. @returns Bytes of a picture, by recipe. */
const checkAll = async (
  testbed: Testbed,
  scenarios: readonly Scenario[],
): Promise<Record<string, number>> => {
  const bytes: Record<string, number> = {};
  for (const name of new Set(scenarios.flatMap(({ mix }) => mix.map(([recipe]) => recipe)))) {
    const recipe = RECIPES[name];
    bytes[name] = (await checkRecipe(name, recipe, testbed[recipe.target].url, testbed.aim)).bytesACode;
  }
  say(
    `checked: all ${Object.keys(bytes).length} kinds of requests get the right answer, and their codes decode`,
  );
  return bytes;
};

/** Draws the pictures that a hit must find in the cache. */
const fillCache = async ({ aim, gateway }: Testbed): Promise<void> => {
  for (const name of Object.keys(RECIPES) as RecipeName[]) {
    if (!name.startsWith('render hit')) continue;
    for (let serial = 0; serial < HOT_PICTURES; serial += 1) {
      const answer = await fetch(gateway.url + RECIPES[name].build(aim, serial).path);
      await answer.arrayBuffer();
    }
  }
};

const compareAll = (generator: Generator, testbed: Testbed, options: RunOptions): Promise<Measured[]> => {
  const { gateway, bare, peer, backends, aim } = testbed;
  return compare(generator, {
    ...options,
    servers: { gateway, bare, peer },
    stores: [backends.redis.pid, backends.postgres.pid],
    aim,
    onRound: ({ name }, round, { goodPerS, failures }) =>
      say(
        `round ${round + 1}  ${name.padEnd(18)} ${figure(goodPerS).padStart(7)} good/s${failures > 0 ? `, ${failures} failed` : ''}`,
      ),
  });
};

const flooded = async (scope: Scope, { gateway, aim }: Testbed, seconds: number) => {
  say('one account floods the gateway with large pictures while another asks for small ones …');
  const { key } = await createAccount(gateway.url, ADMIN_TOKEN, 'rival');
  // Long enough, at 20 requests a second, for a p99 over hundreds of requests.
  return fairness(scope, gateway, aim, key, 8 * seconds);
};

/** Measures, prints tables and writes the report. Returns its file. */
const run = (options: RunOptions): Promise<string> =>
  inScope(async (scope) => {
    const { scenarios, stages, seconds } = options;
    const runs = (stage: Stage): boolean => stages.includes(stage);
    const machine = describeMachine('postgres');
    const { ADMIN_TOKEN: _, ...settings } = GATEWAY_ENV;
    say(
      `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load.toFixed(2)}; generator, Redis and Postgres run here too`,
    );
    const testbed = await startTestbed(scope, { run: SEED });
    const pictureBytes = await checkAll(testbed, scenarios);
    await fillCache(testbed);
    const generator = startGenerator(scope);
    const measured = runs('compare') || runs('latency') ? await compareAll(generator, testbed, options) : [];
    let report: Omit<BenchReport, 'at' | 'command' | 'last'> = {
      machine,
      settings: { ...settings, seed: SEED },
      measured,
      outcomes: judge(measured, TARGETS),
      pictureBytes,
      parts: {},
      latencies: [],
      overload: null,
      fairness: null,
    };
    if (runs('latency')) {
      const { url } = testbed.gateway;
      const latencies = await measureLatencies(generator, measured, {
        url,
        aim: testbed.aim,
        seconds: 2 * seconds,
        onRun: ({ scenario, load, result }) =>
          say(
            `${scenario.padEnd(18)} at ${load * 100} %: p50 ${figure(result.latencyMs.p50)}, p99 ${figure(result.latencyMs.p99)}, p99.9 ${figure(result.latencyMs.p999)} ms`,
          ),
      });
      say('profiling how drawing divides its time …');
      report = { ...report, latencies, parts: await measureParts() };
    }
    if (runs('overload')) {
      say('\nsending three times what the gateway can do …');
      const overloaded = await overload(scope, generator, testbed.backends, 2 * seconds);
      report = { ...report, overload: overloaded };
    }
    if (runs('fairness')) report = { ...report, fairness: await flooded(scope, testbed, seconds) };

    const whole = { ...report, at: '', command: '', last: null };
    if (measured.length > 0) show(scenarioTable(whole));
    if (report.outcomes.length > 0) show(ratioTable(whole));
    if (report.latencies.length > 0) show(latencyTable(whole));
    if (report.overload !== null || report.fairness !== null) show(stressTable(whole));
    const complaints = testbed.gateway.complaints();
    if (complaints !== '') say(`\nthe end of the gateway's log:\n${complaints}`);
    return writeBench(options.folder, report);
  });

/** Does what the command line asks for. Returns what the process ends with. */
const perform = async (wanted: Wanted): Promise<number> => {
  if (wanted.kind === 'compare') return compareSaved(wanted.before, wanted.after);
  if (wanted.kind === 'trend') return showTrend(wanted.reports, wanted);
  if (wanted.kind === 'from') return useSaved(wanted.reports, wanted.uses);
  const fault = faultOfRequirements(wanted.run, wanted.uses.required);
  if (fault !== null) return misuse(fault);
  return useSaved([await run(wanted.run)], wanted.uses);
};

const { values, positionals } = commandLine(BENCH);
const wanted = wantedOf(values, positionals);
if (typeof wanted === 'string') misuse(wanted);
else {
  process.exitCode = await perform(wanted).catch((error: Error) =>
    error instanceof ReportFault ? misuse(error.message) : Promise.reject(error),
  );
}
