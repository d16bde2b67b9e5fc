/** Where a command reads from and writes to; the process hands its own in. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  readonly out: Output;
  /** For people: progress, notes and faults. */
  readonly err: Output;
  /** From the first call on, an interrupt (Ctrl-C) aborts the signal instead of ending the process; once. */
  onInterrupt(): AbortSignal;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Control characters in what others wrote must not command the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

export const count = (value: number): string => value.toLocaleString('en-US');
