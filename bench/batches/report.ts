/** The tables and the file of a run. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../machine.ts';
import { commandLine } from '../page/files.ts';
import { figure, say, table } from '../say.ts';
import { type ByPart, PARTS } from '../spent.ts';
import { atLeast, atMost, type Verdict } from '../stages/verdict.ts';
import type { Sharing, Singles, Transfers } from './beside.ts';
import type { BatchCost } from './rate.ts';

/** Codes a second of `POST /api/v1/qr/bulk`: before the batch on a gateway without codes, and after it. */
export interface BulkRate {
  readonly before: number;
  readonly after: number;
}

/** Everything that a run has measured; what was left out is absent. */
export interface Measured {
  readonly batch?: BatchCost;
  readonly bulk?: BulkRate;
  readonly transfers?: Transfers;
  readonly singles?: Singles;
  readonly sharing?: Sharing;
  readonly embedded?: BatchCost;
}

const MILLION = 1_000_000;
const MB = 1e6;
/** A million in eight minutes, and 100,000 in two on the embedded database. */
const RATE_MIN_PER_S = MILLION / 480;
const EMBEDDED_MIN_PER_S = 100_000 / 120;
const BULK_SHARE_MIN = 0.8;
const MORE_MAX_MB = 250;
const P99_FACTOR_MAX = 3;
/** Two equal batches may differ by some pieces. */
const EQUAL_SHARE_MIN = 0.5;
const CORES = [2, 8, 32];

const totalOf = (us: ByPart): number => PARTS.reduce((sum, part) => sum + us[part], 0);

const costVerdicts = (name: string, { codesPerS, moreBytes }: BatchCost, leastPerS: number) => [
  atLeast(`${name}: codes a second`, codesPerS, leastPerS, ''),
  atMost(`${name}: gateway above idle`, moreBytes / MB, MORE_MAX_MB, 'MB'),
];

/** Compares a run with the targets. */
export const judge = ({ batch, bulk, transfers, singles, sharing, embedded }: Measured): Verdict[] => [
  ...(batch === undefined ? [] : costVerdicts('batch', batch, RATE_MIN_PER_S)),
  ...(batch === undefined || bulk === undefined
    ? []
    : [
        atLeast(
          'batch against bulk calls',
          batch.codesPerS / Math.max(bulk.before, bulk.after),
          BULK_SHARE_MIN,
          'times',
        ),
      ]),
  ...(transfers === undefined
    ? []
    : [
        atMost('upload: gateway above idle', transfers.uploadMoreBytes / MB, MORE_MAX_MB, 'MB'),
        atMost('downloads: gateway above idle', transfers.downloadMoreBytes / MB, MORE_MAX_MB, 'MB'),
      ]),
  ...(singles === undefined
    ? []
    : [
        atMost(
          'p99 of single calls beside a batch against alone',
          singles.besideP99Ms / singles.aloneP99Ms,
          P99_FACTOR_MAX,
          'times',
        ),
        atMost('single calls that failed', singles.failures, 0, ''),
      ]),
  ...(sharing === undefined
    ? []
    : [
        atLeast(
          'two batches: rows of the slower against the faster',
          Math.min(...sharing.made) / Math.max(...sharing.made),
          EQUAL_SHARE_MIN,
          'times',
        ),
        atLeast('a small batch, sent later, ends first', sharing.smallFirst ? 1 : 0, 1, ''),
      ]),
  ...(embedded === undefined ? [] : costVerdicts('embedded', embedded, EMBEDDED_MIN_PER_S)),
];

const costRow = (name: string, cost: BatchCost): readonly string[] => [
  name,
  String(cost.rows),
  figure(cost.seconds),
  figure(cost.receivedS),
  figure(cost.makingS),
  figure(cost.codesPerS),
  ...PARTS.map((part) => figure(cost.us[part])),
  figure(totalOf(cost.us)),
];

/** Codes a second, and minutes for a million, when batches have all of so many cores. */
const paperRow = (cores: number, us: ByPart): readonly string[] => {
  const perS = (cores * 1e6) / totalOf(us);
  const full = Math.max(us.redis * perS, 1) / 1e6;
  return [String(cores), figure(perS), figure(MILLION / perS / 60), figure(full)];
};

/** Prints the tables of a run. */
export const showTables = (measured: Measured, verdicts: readonly Verdict[]): void => {
  const { batch, bulk, embedded } = measured;
  const head = [
    '',
    'rows',
    's',
    'received s',
    'making s',
    'codes/s',
    ...PARTS.map((part) => `${part} us`),
    'all us',
  ];
  const costs = [
    ...(batch === undefined ? [] : [costRow('Postgres, Redis', batch)]),
    ...(embedded === undefined ? [] : [costRow('embedded', embedded)]),
  ];
  if (costs.length > 0) say(`\n${table(head, costs)}`);
  if (bulk !== undefined)
    say(`\nbulk calls: ${figure(bulk.before)} codes/s before the batch, ${figure(bulk.after)} after it`);
  if (batch !== undefined) {
    say('\non paper, when batches have all of the cores:\n');
    const rows = CORES.map((cores) => paperRow(cores, batch.us));
    say(table(['cores', 'codes/s', 'minutes for a million', 'cores of Redis'], rows));
  }
  say(
    `\n${table(
      ['', 'measured', 'wanted', ''],
      verdicts.map(({ what, value, limit, unit, isMet }) => [
        what,
        figure(value),
        `${figure(limit)} ${unit}`,
        isMet ? 'met' : 'MISSED',
      ]),
    )}`,
  );
};

/** Writes `batches.json` into a folder. */
export const writeBatches = async (folder: string, machine: Machine, measured: Measured): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'batches.json');
  const report = {
    at: new Date().toISOString(),
    command: commandLine(process.argv.slice(1)),
    machine,
    ...measured,
    verdicts: judge(measured),
  };
  await writeFile(`${file}.new`, `${JSON.stringify(report, null, 1)}\n`);
  await rename(`${file}.new`, file);
  say(`\nreport: ${file}`);
};
