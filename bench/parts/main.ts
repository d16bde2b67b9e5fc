/** `npm run bench:parts` measures the cost of single parts of the service. `--help` lists them. */
import { commandLine } from '../../test/support/command.ts';
import { PARTS, type PartName } from '../commands.ts';
import { batches } from './batches.ts';
import { gs1, reading, signed } from './checks.ts';
import { costs, tracing } from './gateways.ts';
import { large } from './large.ts';
import { measureParts, type Part, SHORT } from './part.ts';
import { quota } from './quota.ts';
import { links, resolver } from './redirects.ts';
import { render } from './render.ts';
import { scans } from './scans.ts';
import { sheets } from './sheets.ts';
import { search, storage } from './storage.ts';

const ALL: Readonly<Record<PartName, Part>> = {
  ...{ batches, costs, gs1, large, links, quota, reading, render },
  ...{ resolver, scans, search, sheets, signed, storage, tracing },
};
const { values, positionals } = commandLine(PARTS);
await measureParts(ALL, positionals, {
  share: values.short ? SHORT : 1,
  codes: Number(values.codes),
  accounts: Number(values.accounts),
});
