/** The command lines of the tools of this folder. They load nothing of what the tools do, so their help comes at once. */

import {
  type Command,
  commandLine,
  flag,
  Misuse,
  number,
  type Options,
  text,
  textOr,
  whole,
} from '../test/support/command.ts';
import { AGENT } from './agents/options.ts';
import { CAPACITY } from './capacity/options.ts';
import { EXPORT } from './export/options.ts';
import { KINDS, kindsOf, minutesOf, QUICK, USUAL } from './model/kinds.ts';
import { BENCH } from './options.ts';
import { REPORT } from './reports/files.ts';
import { SOAK } from './soak-rules.ts';

/** The parts that `npm run bench:parts` measures. */
const ABOUT = {
  batches:
    'a batch of a million codes, compared with bulk calls and alongside single calls; 100,000 on the embedded database',
  costs: 'what a call of each kind costs with one gateway process and with four',
  gs1: 'checking GS1 data',
  large:
    'each statement of all endpoints, with many accounts and codes (--accounts, --codes), of two accounts that have 20,000 and 400,000; insertions, vacuums and sizes at that size. It needs pg_stat_statements, which is part of Postgres, 4 GB of memory, and 3 GB on the disk for each million codes',
  links: 'the cost of a redirect for each kind of link, compared with a plain one',
  quota: 'what the ledger on Redis costs Redis and Postgres',
  reading: 'reading a picture with both readers in all conditions',
  render: 'a picture in each lane, compared with qrcode and the reference (resvg)',
  resolver: 'the cost of a redirect by the resolver, compared with that of a short link',
  scans: 'a million scans of one link, evenly over a year: recording and reading them',
  search: 'saving and searching 100,000 codes of 2 kB of one account',
  sheets:
    'a thousand sheets of 24 labels with captions, and ten thousand labels in ZPL II: processor time and memory',
  signed: 'checking a signed address, and reading its parameters',
  storage: 'the space of 400,000 saved codes of each kind in Postgres, by table and index',
  tracing: 'the cost of tracing at several shares of recorded traces, compared with no collector',
} as const;

/** The name of a part. */
export type PartName = keyof typeof ABOUT;

const NAMES = Object.keys(ABOUT).join(', ');

/** `npm run bench:parts`. */
export const PARTS = {
  name: 'npm run bench:parts',
  operands: '<parts>',
  about: [
    'Measures the cost of single parts of the service, mostly as processor time. It needs an idle machine, up to half an hour per part and, for batches, 12 GB in the folder for temporary files (TMPDIR). Exits with 1 when a figure misses its limit.',
    ...Object.entries(ABOUT).map(([name, about]) => `${name}: ${about}`),
  ].join('\n\n'),
  options: {
    short: flag('a twentieth of the amounts and rounds, for a rough answer'),
    codes: whole('with large: codes in all', 1_000_000, 500_000),
    accounts: whole('with large: accounts', 200_000, 1000),
  },
  examples: [
    ['render quota', 'the cost of pictures, and of the ledger on Redis'],
    ['--short batches', 'a rough answer about batches'],
    ['--codes 5000000 --accounts 2000000 large', 'which statements are slow at that size'],
  ],
  read: (_: unknown, names: readonly string[]): void => {
    const unknown = names.find((name) => !Object.hasOwn(ABOUT, name));
    if (unknown !== undefined) throw new Misuse(`there is no part ${unknown}; there are ${NAMES}`);
    if (names.length === 0) throw new Misuse(`name parts to measure: ${NAMES}`);
  },
} as const;

/** `npm run bench:guard`. */
export const GUARD = {
  name: 'npm run bench:guard',
  about:
    'Reports whether the tree has become slower than bench/baseline.json: compares ratios of processor time within one run. Exits with 1 when a cost rose beyond its tolerance.',
  options: {
    update: flag('writes the ratios of this run into the baseline and keeps its tolerances'),
    calibrate: {
      ...text('runs', 'runs this many times, writes medians and tolerances, and compares each run with them'),
      ...{ least: 2, isWhole: true },
    },
    rounds: whole('rounds of each measure', 20),
  },
  examples: [
    ['', 'compares'],
    ['--update', 'for a commit that makes something faster, or slower on purpose'],
    ['--calibrate 20', 'on an idle machine, for a new baseline'],
  ],
} as const;

/** `npm run bench:model`. */
export const MODEL = {
  name: 'npm run bench:model',
  about: `Measures what a call of each kind costs each part at 10, 30, 60 and 90 % of its peak and at the peak, what it stores, what it sends over networks, and how often it waits for Redis. Writes model.json and the report page to the report folder; npm run capacity uses them. It takes about ${minutesOf(KINDS.length, USUAL)} minutes on an idle machine.`,
  options: {
    kinds: {
      ...textOr('names', '', `kinds of calls: ${KINDS.join(', ')}; others stay as they are in the folder`),
      shown: 'all',
    },
    seconds: number('seconds of each load', USUAL.seconds, 0.5),
    rounds: whole('rounds of each kind; the cheapest counts', USUAL.rounds),
    quick: flag(`a rough answer: one round of a second, ${minutesOf(KINDS.length, QUICK)} minutes`),
    report: REPORT,
  },
  examples: [
    ['', 'the whole model'],
    ['--kinds "redirect,bulk 10" --quick --report /tmp/costs', 'a rough answer for two kinds'],
  ],
  read: ({ kinds }: { readonly kinds: string }) => kindsOf(kinds),
} as const;

/** The tools by the paths of their modules in this folder. */
const TOOLS: Readonly<Record<string, Command<Options>>> = {
  bench: BENCH,
  'agents/main': AGENT,
  'capacity/main': CAPACITY,
  'export/main': EXPORT,
  'guard/main': GUARD,
  'model/main': MODEL,
  'parts/main': PARTS,
  soak: SOAK,
};

/** Ends the process if the options of a tool are wrong or ask for help. */
export const checkOptions = (tool: string): void => void commandLine(TOOLS[tool]!);
