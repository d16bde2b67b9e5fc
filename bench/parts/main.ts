/** `npm run bench:parts` measures the cost of single parts of the service. `--help` lists them. */
import { inScope } from '../../test/servers/scope.ts';
import { commandLine } from '../command/main.ts';
import { PARTS, type PartName } from '../commands.ts';
import { describeMachine } from '../machine.ts';
import { say, show } from '../say.ts';
import { verdictTable } from '../verdict.ts';
import { gs1, signed } from './checks.ts';
import { costs, tracing } from './gateways.ts';
import { large } from './large/large.ts';
import { memory } from './memory/memory.ts';
import { neighbours } from './neighbours/neighbours.ts';
import type { Part } from './part.ts';
import { quota } from './quota.ts';
import { reading } from './reading.ts';
import { links, resolver } from './redirects.ts';
import { render } from './render.ts';
import { scans } from './scans.ts';
import { search } from './search.ts';
import { sheets } from './sheets.ts';
import { storage } from './storage.ts';
import { batches } from './uploads/batches.ts';
import { hostile } from './uploads/hostile.ts';

const ALL: Readonly<Record<PartName, Part>> = {
  ...{ batches, costs, gs1, hostile, large, links, memory, neighbours, quota, reading, render },
  ...{ resolver, scans, search, sheets, signed, storage, tracing },
};
const SHORT = 1 / 20;

const { values, positionals } = commandLine(PARTS);
const { cpu, cores, node, load } = describeMachine('postgres');
say(`${cpu}, ${cores} cores, Node ${node}, load ${load.toFixed(2)}`);
const options = {
  ...{ share: values.short ? SHORT : 1, codes: Number(values.codes), accounts: Number(values.accounts) },
  ...{ seconds: Number(values.seconds), only: values.only.split(',') },
};
for (const name of positionals as PartName[]) {
  const verdicts = await inScope((scope) => ALL[name](scope, options));
  show(verdictTable(name, verdicts));
  if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
