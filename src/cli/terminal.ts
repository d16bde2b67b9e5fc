/** Where a command writes, and what it writes for people: faults, tables and its progress. */

/** The environment of a command. The process passes its own; tests pass others. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly out: Output;
  /** Takes progress, notes and faults, for people. */
  readonly err: Output;
  /** From the call on, the first interrupt (Ctrl-C) aborts the signal instead of ending the process. */
  onInterrupt(): AbortSignal;
}

/** Where text is written: `process.stdout` and `process.stderr` fit. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Clears a terminal's line from the cursor to its end. */
export const CLEAR_LINE = '\x1b[K';

/** Replaces control characters by `?`, so that text from others cannot control the terminal. */
export const toPrintable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** Writes a number with commas between thousands. */
export const formatCount = (value: number): string => value.toLocaleString('en-US');

/** A failure to report to the user in a line or a few. Any other thrown error is a bug. */
export class CliFault extends Error {
  /** 1 when the command failed, 2 for a usage error. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.name = 'CliFault';
    this.exitCode = exitCode;
  }
}

/** Returns a fault with exit code 1: the command failed. */
export const commandError = (message: string): CliFault => new CliFault(message, 1);
/** Returns a fault with exit code 2: a usage error. */
export const usageError = (message: string): CliFault => new CliFault(message, 2);

const textOf = (cell: unknown): string =>
  typeof cell === 'number' ? cell.toLocaleString('en-US') : toPrintable(String(cell ?? '–'));

/** Lays out a table: columns under their headings, numbers aligned right. Ends with a newline. Safe to print. */
export const formatTable = (headings: readonly string[], rows: readonly (readonly unknown[])[]): string => {
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const lines = [headings, ...rows.map((row) => row.map(textOf))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const format = (line: readonly string[]): string =>
    line
      .map((text, column) =>
        isNumber[column] ? text.padStart(widths[column]!) : text.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  return `${lines.map(format).join('\n')}\n`;
};

/** Lays out rows as `formatTable`. @param columns The fields of a row, by their headings. */
export const formatRows = <Row extends object>(
  rows: readonly Row[],
  columns: Readonly<Record<string, keyof Row>>,
): string =>
  formatTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((field) => row[field])),
  );

/** Lays out one thing: a line for each field. Safe to print. */
export const formatFields = (pairs: readonly (readonly [string, unknown])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, cell]) => `${name.padEnd(width)}  ${textOf(cell)}\n`).join('');
};

/** Lays out one thing as `formatFields`. @param names Fields by their names for people; missing ones are left out. */
export const formatThing = <Thing extends object>(
  thing: Thing,
  names: Readonly<Record<string, keyof Thing>>,
): string =>
  formatFields(
    Object.entries(names).flatMap(([name, field]) =>
      thing[field] === undefined ? [] : [[name, thing[field]] as const],
    ),
  );

const EVERY_MS = { terminal: 100, elsewhere: 5000 } as const;
const BAR_WIDTH = 28;
const MEGABYTE = 1_000_000;

/** Writes a time for people, such as `3 min 12 s`. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
};

/** Writes bytes for people, such as `12.5 MB`. */
export const formatMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Makes a function that writes the progress of an upload for people. @param bytes Of the whole file. */
export const createUploadLine = (bytes: number) => {
  const startedMs = performance.now();
  let first: number | null = null;
  return (stored: number): string => {
    first ??= stored;
    const perMs = (stored - first) / Math.max(1, performance.now() - startedMs);
    const left = perMs > 0 ? `, ${formatDuration((bytes - stored) / perMs / 1000)} left` : '';
    return `Uploading: ${formatMegabytes(stored)} of ${formatMegabytes(bytes)}${left}`;
  };
};

/** One line that says what is going on. */
export type Status = ReturnType<typeof createStatus>;

/**
 * Makes a status: a line that changes on a terminal, and a new line every five seconds elsewhere.
 *
 * @param shownMs When the last line was shown.
 */
export const createStatus = (out: Output, shownMs = Number.NEGATIVE_INFINITY) => {
  let isBegun = false;
  return {
    /** @param now Shows it at once; else it may be left out when another was shown just before. */
    show(text: string, now = false): void {
      const nowMs = performance.now();
      if (!now && nowMs - shownMs < (out.isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return;
      shownMs = nowMs;
      isBegun = true;
      out.write(out.isTTY ? `\r${text.slice(0, (out.columns ?? 80) - 1)}${CLEAR_LINE}` : `${text}\n`);
    },
    end(): void {
      if (out.isTTY && isBegun) out.write('\n');
    },
  };
};

/** Counts rows and shows them: a bar on a terminal, a line every five seconds elsewhere. @param total All rows. */
export const createProgress = (out: Output, total: number) => {
  const startedMs = performance.now();
  const status = createStatus(out, startedMs);
  let [done, failed] = [0, 0];

  const show = (now: boolean): void => {
    const perSecond = done / Math.max(0.001, (performance.now() - startedMs) / 1000);
    const parts = [`${formatCount(done)} of ${formatCount(total)} rows`];
    if (failed > 0) parts.push(`${formatCount(failed)} failed`);
    if (perSecond > 0) parts.push(`${formatCount(Math.round(perSecond))} a second`);
    if (perSecond > 0 && done < total) parts.push(`${formatDuration((total - done) / perSecond)} left`);
    const bar = '#'.repeat(Math.round((BAR_WIDTH * done) / total)).padEnd(BAR_WIDTH, '.');
    status.show(`${out.isTTY ? `[${bar}] ` : ''}${parts.join(', ')}`, now);
  };

  return {
    /** Counts `rows` as done, of which `rowsFailed` failed. */
    add(rows: number, rowsFailed: number): void {
      done += rows;
      failed += rowsFailed;
      show(false);
    },
    end(): void {
      show(true);
      status.end();
    },
  };
};
