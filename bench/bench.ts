/**
 * `npm run bench` measures how fast the gateway is, compared with a bare Fastify route and with the hand-written
 * peer; how long requests take at constant rates; and how the gateway behaves under overload.
 */
import { inScope } from '../test/servers/scope.ts';
import { GATEWAY_ENV, startBare, startPeer, startTestbed } from '../test/servers/testbed.ts';
import { commandLine, Misuse, misuseBy } from '../test/support/command.ts';
import { ReportFault } from './compare/read.ts';
import { checkRequirements } from './compare/require.ts';
import { compareSaved, useSaved } from './compare/saved.ts';
import { TargetFault } from './load/aim.ts';
import { checkRecipe } from './load/correct.ts';
import { startGenerator } from './load/fire.ts';
import { needsOf } from './load/mix.ts';
import { HOT_PICTURES, RECIPES, recipeOf } from './load/recipes.ts';
import { describeMachine, hardwareOf } from './machine.ts';
import { BENCH, type RunOptions, type Stage } from './options.ts';
import { writeReport } from './reports/files.ts';
import { invalidLatencies } from './reports/markdown.ts';
import { latencyTable, ratioTable, scenarioTable, stressTable } from './reports/tables.ts';
import { figure, say, show } from './say.ts';
import { compare, judge, type Testbed } from './stages/compare.ts';
import { measureLatencies } from './stages/latency.ts';
import { overload } from './stages/overload.ts';
import { type Scenario, TARGETS } from './stages/scenarios.ts';

/** Makes the contents of all codes the same in every run. */
const SEED = 'c0de';

/** Checks one answer of every recipe. @returns Bytes of a picture, by recipe. */
const checkAll = async (
  testbed: Testbed,
  scenarios: readonly Scenario[],
): Promise<Record<string, number>> => {
  const bytes: Record<string, number> = {};
  for (const name of new Set(scenarios.flatMap(({ mix }) => mix.map(([recipe]) => recipe)))) {
    const recipe = recipeOf(name);
    bytes[name] = await checkRecipe(name, recipe, testbed[recipe.target].url, testbed.aim);
  }
  const kinds = Object.keys(bytes).length;
  say(`checked: all ${kinds} kinds of requests get the right answer, and their codes decode`);
  return bytes;
};

/** Draws the pictures that a hit must find in the cache. */
const fillCache = async ({ aim, gateway }: Testbed): Promise<void> => {
  for (const [name, { build }] of Object.entries(RECIPES)) {
    if (!name.startsWith('render hit')) continue;
    for (let serial = 0; serial < HOT_PICTURES; serial += 1)
      await (await fetch(gateway.url + build(aim, serial).path)).arrayBuffer();
  }
};

/** Measures, prints tables and writes the report. */
const run = (options: RunOptions): Promise<{ readonly file: string; readonly isValid: boolean }> =>
  inScope(async (scope) => {
    const { scenarios, seconds } = options;
    const runs = (...stages: Stage[]): boolean => stages.some((stage) => options.stages.includes(stage));
    const machine = describeMachine();
    const { ADMIN_TOKEN: _, ...settings } = GATEWAY_ENV;
    say(
      `${hardwareOf(machine)}, load ${machine.load.toFixed(2)}; the load generator, Redis and Postgres run here too`,
    );
    const target = await startTestbed(scope, {
      run: SEED,
      needs: needsOf(scenarios.flatMap(({ mix }) => mix)),
    });
    const { gateway } = target;
    const bare = await startBare(scope, target.backends);
    const testbed = { ...target, bare, peer: await startPeer(scope, target.backends) };
    const pictureBytes = await checkAll(testbed, scenarios);
    await fillCache(testbed);
    const generator = startGenerator(scope);
    const measured = !runs('compare', 'latency')
      ? []
      : await compare(generator, testbed, options, ({ name }, round, { goodPerS, failures }) => {
          const failed = failures > 0 ? `, ${failures} failed` : '';
          say(`round ${round + 1}  ${name.padEnd(18)} ${figure(goodPerS).padStart(7)} good/s${failed}`);
        });
    const latencies = !runs('latency')
      ? []
      : await measureLatencies(generator, target, measured, {
          seconds: 2 * seconds,
          onRun({ scenario, load, result: { latencyMs }, faults }) {
            const [p50, p99, p999] = [latencyMs.p50, latencyMs.p99, latencyMs.p999].map(figure);
            const what = `${scenario.padEnd(18)} at ${load * 100} %: p50 ${p50}, p99 ${p99}, p99.9 ${p999} ms`;
            say([what, ...faults.map((fault) => `not valid: ${fault}`)].join('; '));
          },
        });
    if (runs('overload')) say('\nsending three times the load that the gateway can handle …');
    const report = {
      machine,
      settings: { ...settings, seed: SEED },
      measured,
      outcomes: judge(measured, TARGETS),
      pictureBytes,
      latencies,
      overload: runs('overload') ? await overload(scope, generator, target.backends, 2 * seconds) : [],
    };
    for (const table of [scenarioTable, ratioTable, latencyTable, stressTable].map((of) => of(report)))
      if (table.rows.length > 0) show(table);
    const complaints = gateway.complaints();
    if (complaints !== '') say(`\nthe end of the gateway's log:\n${complaints}`);
    const invalid = invalidLatencies(report);
    for (const line of invalid) say(`\n${line}`);
    const file = await writeReport(options.folder, 'bench.json', report);
    return { file, isValid: invalid.length === 0 };
  });

/** Runs the command line. Returns the exit code. */
const perform = async (): Promise<number> => {
  const { wanted } = commandLine(BENCH);
  if (wanted.kind === 'compare') return compareSaved(wanted.before, wanted.after);
  if (wanted.kind === 'from') return useSaved(wanted.reports, wanted.uses);
  checkRequirements(wanted.run, wanted.uses.required);
  const { file, isValid } = await run(wanted.run);
  return (await useSaved([file], wanted.uses)) || (isValid ? 0 : 3);
};

process.exitCode = await perform().catch(misuseBy(Misuse, ReportFault, TargetFault));
