/** `npm run bench:parts` measures the cost of single parts of the service. `--help` lists them. */
import { inScope } from '../../test/servers/scope.ts';
import { commandLine, flag, misuse, number, text, whole } from '../command/main.ts';
import { describeMachine } from '../machine.ts';
import { say, show } from '../say.ts';
import { verdictTable } from '../verdict.ts';
import { gs1 } from './checks/gs1.ts';
import { signed } from './checks/signed.ts';
import { costs } from './costs.ts';
import { large } from './large/large.ts';
import { links } from './links.ts';
import { memory } from './memory/memory.ts';
import { neighbours } from './neighbours/neighbours.ts';
import type { Part } from './part.ts';
import { quota } from './quota.ts';
import { reading } from './reading.ts';
import { render } from './render.ts';
import { resolver } from './resolver.ts';
import { scans } from './scans.ts';
import { search } from './search.ts';
import { sheets } from './sheets.ts';
import { storage } from './storage.ts';
import { tracing } from './tracing.ts';
import { batches } from './uploads/batches.ts';
import { hostile } from './uploads/hostile.ts';

const PARTS: Readonly<Record<string, Part>> = {
  ...{ batches, costs, gs1, hostile, large, links, memory, neighbours, quota, reading, render },
  ...{ resolver, scans, search, sheets, signed, storage, tracing },
};
const SHORT = 1 / 20;

const { values, positionals } = commandLine({
  name: 'npm run bench:parts',
  operands: '<parts>',
  about: `Measures the cost of single parts of the service, mostly as processor time. It needs an idle machine, up to half an hour per part and, for batches, 12 GB in the folder for temporary files (TMPDIR). Exits with 1 when a figure misses its limit.\n\n${Object.entries(
    PARTS,
  )
    .map(([name, { about }]) => `${name}: ${about}`)
    .join('\n\n')}`,
  options: {
    short: flag('a twentieth of the amounts and rounds, for a rough answer'),
    codes: whole('with large: codes in all', 1_000_000, 500_000),
    accounts: whole('with large: accounts', 200_000, 1000),
    before: text('dist', 'with tracing: also measures this build of an earlier version'),
    seconds: number('with neighbours: how long each route is measured', 2.5, 0.5),
    only: text(
      'texts',
      'with neighbours and memory: only routes, or lines, with one of these texts in their names, separated by commas; a route is named `GET /path operationId`',
    ),
  },
  examples: [
    ['render quota', 'the cost of pictures, and of the ledger on Redis'],
    ['--short batches', 'a rough answer about batches'],
    ['--codes 5000000 --accounts 2000000 large', 'which statements are slow at that size'],
    ['--only readers memory', 'the memory that readers take who have stopped'],
    ['--only resolver,getCode neighbours', 'calls of the resolver beside those of other accounts'],
    ['--before ../earlier/dist tracing', 'compares with an earlier version, built in another checkout'],
  ],
});
if (positionals.length === 0) misuse(`name parts to measure: ${Object.keys(PARTS).join(', ')}`);
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) misuse(`there is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);

const { cpu, cores, node, load } = describeMachine('postgres');
say(`${cpu}, ${cores} cores, Node ${node}, load ${load.toFixed(2)}`);
const options = {
  ...{ share: values.short ? SHORT : 1, before: values.before ?? null },
  ...{ codes: Number(values.codes), accounts: Number(values.accounts) },
  ...{ seconds: Number(values.seconds), only: values.only ?? null },
};
for (const name of positionals) {
  const verdicts = await inScope((scope) => PARTS[name]!.run(scope, options));
  show(verdictTable(name, verdicts));
  if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
