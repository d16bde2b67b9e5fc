/** Makes sheets of labels from a file, without a gateway. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createLogoSource } from '../../logo/source.ts';
import { pagesFor } from '../../sheets/grid.ts';
import { makeSheets, type SheetCode } from '../../sheets/maker.ts';
import type { SheetsRequest } from '../../sheets/request.ts';
import { resolveSheet, type Sheet } from '../../sheets/sheet.ts';
import { readRows, type Source } from '../bulk/input/input.ts';
import { createProgress } from '../bulk/progress.ts';
import { failed, misused } from '../fault.ts';
import type { Terminal } from '../terminal.ts';
import { createCodeReader } from './codes.ts';
import { inFlags } from './options.ts';

/** What is made, of what, and where to. */
export interface SheetsRun {
  readonly source: Source;
  readonly request: SheetsRequest;
  readonly out: string;
  readonly title: string;
}

/** What was made. */
export interface SheetsSummary {
  readonly rows: number;
  readonly pages: number;
  /** Rows whose labels are empty; the first ones with their faults. */
  readonly failed: number;
  readonly firstFailed: readonly { readonly row: number; readonly error: string }[];
  /** The smallest module of all codes; `null` without any code. */
  readonly moduleMm: number | null;
}

const SHOWN_MAX = 20;
const COLUMNS_MAX = 1000;

/** Reads the whole file once: a fault in its last line is told before anything is drawn. */
const inspect = async (source: Source) => {
  const columns = new Set<string>();
  let rows = 0;
  for await (const { cells } of readRows(source, () => {}, 'kept')) {
    rows += 1;
    for (const name of Object.keys(cells)) if (columns.size < COLUMNS_MAX) columns.add(name);
  }
  if (rows === 0) throw failed(`${source.path} has no rows`);
  return { rows, columns: [...columns] };
};

const openLogos = ({ err }: Terminal) => {
  const warn = (_: object, message: string) => void err.write(`${message}\n`);
  return createLogoSource({}, { warn, debug: () => {} });
};

/** Writes the file whole or not at all. @throws {CliFault} when it was interrupted. */
const writeWhole = async (
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> => {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createWriteStream(temporary, { flush: true }),
      {
        signal,
      },
    );
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (signal.aborted) throw failed('stopped; nothing was written');
    throw error;
  }
};

/** Makes the document. @throws {CliFault} when the options or the file are wrong; nothing is written then. */
export const runSheets = async (
  { source, request, out, title }: SheetsRun,
  terminal: Terminal,
): Promise<SheetsSummary> => {
  const { rows, columns } = await inspect(source);
  const resolved = resolveSheet(request, columns);
  if (!resolved.ok) throw misused(inFlags(resolved.fault));
  const sheet: Sheet = resolved.value;
  const logos = openLogos(terminal);
  const readCode = createCodeReader(logos, sheet);
  const progress = createProgress(terminal.err, rows, { rowsDone: 0, rowsFailed: 0 });
  const firstFailed: { row: number; error: string }[] = [];
  let moduleMm = Number.POSITIVE_INFINITY;
  const empty: SheetCode = { values: {}, picture: null };

  async function* codes(): AsyncGenerator<SheetCode, void> {
    for await (const row of readRows(source, () => {}, 'kept')) {
      const read = await readCode(row);
      if (read.ok) moduleMm = Math.min(moduleMm, read.value.moduleMm);
      else if (firstFailed.length < SHOWN_MAX) firstFailed.push({ row: row.row, error: read.fault });
      yield read.ok ? read.value.code : empty;
      progress.add(1, read.ok ? 0 : 1);
    }
  }

  try {
    await writeWhole(out, makeSheets({ sheet, title, codes: codes() }), terminal.onInterrupt());
  } finally {
    progress.end();
    await logos.close();
  }
  return {
    ...{ rows, firstFailed, failed: progress.failed },
    pages: pagesFor(sheet.grid, rows * sheet.copies, sheet.startAt),
    moduleMm: Number.isFinite(moduleMm) ? moduleMm : null,
  };
};
