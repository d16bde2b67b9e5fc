/** The environment of a command. The process passes its own; tests pass others. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
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
