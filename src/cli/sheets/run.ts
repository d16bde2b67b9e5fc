/** Makes sheets of labels from a file, without a gateway. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ParameterName, SheetFormat } from '../../../workers/lists.ts';
import type { Fault } from '../../../workers/protocol.ts';
import type { DuplicateRule } from '../../duplicates/rules.ts';
import { createLogoSource } from '../../logo/source.ts';
import { type CheckedCode, checkLabels, type LabelReport, toldWarnings } from '../../sheets/check-labels.ts';
import { pagesFor } from '../../sheets/grid.ts';
import { makeSheets, type SheetCode } from '../../sheets/maker.ts';
import type { SheetsRequest } from '../../sheets/request.ts';
import { resolveSheet, type Sheet } from '../../sheets/sheet.ts';
import { pluralise } from '../../texts.ts';
import { inspect, readRows, tellNotes } from '../bulk/input.ts';
import type { Source } from '../bulk/source.ts';
import { createDuplicateCheck } from '../duplicates.ts';
import {
  commandError,
  createProgress,
  formatCount,
  type Terminal,
  toPrintable,
  usageError,
} from '../terminal.ts';
import { createCodeReader, type Gs1Columns, keysOf, valuesOf } from './codes.ts';
import { nameFlags } from './options.ts';

/** What to make, from what, and where to write it. */
export interface SheetsRun {
  readonly source: Source;
  readonly request: SheetsRequest;
  readonly format: SheetFormat;
  readonly out: string;
  readonly title: string;
  readonly gs1: Gs1Columns;
  /** What to do about rows that repeat an earlier one. */
  readonly duplicates: DuplicateRule;
  /** The column whose values must be unique; `null`: none. */
  readonly unique: string | null;
}

/** A row without a code. */
interface Failed {
  readonly fileRow: number;
  readonly error: string;
}

/** Returns lines that name the rows that failed. @param first The first ones. */
const failedToText = (failed: number, first: readonly Failed[]): readonly string[] => [
  ...first.map(({ fileRow, error }) => `  row ${fileRow} of the file: ${toPrintable(error)}`),
  ...(failed > first.length ? [`  … and ${formatCount(failed - first.length)} more`] : []),
];

/** What was made. */
export type SheetsSummary = Awaited<ReturnType<typeof runSheets>>;

const SHOWN_MAX = 20;

/** @throws {CliFault} when the run was interrupted. */
const stopOn = (signal: AbortSignal): void => {
  if (signal.aborted) throw commandError('stopped; nothing was written');
};

const captionFault = ({ refused: { captions }, faults }: LabelReport) =>
  commandError(
    [
      `${pluralise(captions, 'caption')} cannot be printed, so nothing was written; make room, change the captions or the file, or give --allow:`,
      ...faults.map(({ message }) => `  ${toPrintable(message)}`),
      ...(captions > faults.length ? [`  … and ${formatCount(captions - faults.length)} more`] : []),
    ].join('\n'),
  );

const codesFault = (failed: number, first: readonly Failed[]) =>
  commandError(
    [
      `${pluralise(failed, 'row')} failed, so nothing was written; correct the file, or give --allow codes to print labels that say so:`,
      ...failedToText(failed, first),
    ].join('\n'),
  );

/** Writes the file atomically. @throws {CliFault} when it was interrupted. */
const writeWhole = async (
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> => {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await pipeline(bytes, createWriteStream(temporary, { flush: true }), { signal });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    stopOn(signal);
    throw error;
  }
};

/** Makes the document. @throws {CliFault} when the options or the file are wrong; nothing is written then. */
export const runSheets = async (
  { source, request, format, out, title, gs1, duplicates: rule, unique }: SheetsRun,
  terminal: Terminal,
) => {
  const others = gs1 === null ? 'kept' : 'gs1';
  const check = createDuplicateCheck(rule);
  const { rows, columns, notes } = await inspect(source, others, (row) =>
    check.add(row, keysOf(row, gs1, unique)),
  );
  terminal.err.write(tellNotes(notes));
  const duplicates = check.end();
  const resolved = resolveSheet(request, columns, format);
  if (!resolved.ok) throw usageError(nameFlags(resolved.fault));
  const sheet: Sheet = resolved.value;
  const warn = (_: object, message: string) => void terminal.err.write(`${message}\n`);
  const logos = createLogoSource({}, { warn, debug: () => {} });
  const { readValues, readCode } = createCodeReader(logos, sheet, gs1);
  const progress = createProgress(terminal.err, rows);
  const firstFailed: Failed[] = [];
  const fileRows: number[] = [];
  const unread = new Set<number>();
  const warned = new Set<ParameterName>();
  let moduleMm = Number.POSITIVE_INFINITY;

  const fail = (row: number, error: string): void => {
    if (unread.has(row)) return;
    unread.add(row);
    if (firstFailed.length < SHOWN_MAX) firstFailed.push({ fileRow: fileRows[row - 1] as number, error });
  };

  async function* codes(): AsyncGenerator<SheetCode, void> {
    for await (const row of readRows(source, () => {}, others)) {
      fileRows.push(row.fileRow);
      const read = await readCode(row);
      if (read.ok) moduleMm = Math.min(moduleMm, read.value.moduleMm);
      else fail(row.row, read.fault);
      yield read.ok ? read.value.code : { values: valuesOf(row), picture: null };
      progress.add(1, read.ok ? 0 : 1);
    }
  }

  /** Everything is looked at before the command says which rows failed, and the file appears or does not. */
  async function* document(): AsyncGenerator<Uint8Array, void> {
    const onFault = (place: number, fault: Fault | null): void => {
      if (fault !== null) fail(Math.floor(place / sheet.copies) + 1, nameFlags(fault));
    };
    const onWarnings = (warnings: readonly ParameterName[]): void => {
      for (const name of warnings) warned.add(name);
    };
    yield* makeSheets({ sheet, title, codes: codes(), onFault, onWarnings });
    if (unread.size > 0 && !sheet.allow.includes('codes')) throw codesFault(unread.size, firstFailed);
  }

  async function* captions(): AsyncGenerator<CheckedCode, void> {
    for await (const row of readRows(source, () => {}, others)) {
      const read = readValues(row);
      const values = read.ok ? read.value : valuesOf(row);
      yield { known: `row ${row.fileRow} of the file`, values, picture: null, fault: null };
    }
  }

  let lost: LabelReport['lost'];
  const signal = terminal.onInterrupt();
  try {
    const report = await checkLabels(sheet, captions(), () => stopOn(signal));
    if (report.refused.captions > 0) throw captionFault(report);
    ({ lost } = report);
    await writeWhole(out, document(), signal);
  } finally {
    progress.end();
    await logos.close();
  }
  return {
    rows,
    /** Rows whose labels have no code; the first ones with their faults. */
    failed: unread.size,
    missing: failedToText(unread.size, firstFailed),
    duplicates,
    pages: pagesFor(sheet.grid, rows * sheet.copies, sheet.startAt),
    /** How many captions lost what the caller allowed. */
    lost,
    warnings: toldWarnings(warned),
    /** The smallest module of all codes; `null` without any code. */
    moduleMm: Number.isFinite(moduleMm) ? moduleMm : null,
  };
};
