import { CLEAR_LINE, type Output } from '../terminal.ts';

/** One line that says what is going on. */
export interface Status {
  /** @param now Shows it at once; else it may be left out when another was shown just before. */
  show(text: string, now?: boolean): void;
  end(): void;
}

const EVERY_MS = { terminal: 100, elsewhere: 5000 } as const;

/** Makes a status: a line that changes on a terminal, and a new line every five seconds elsewhere. */
export const createStatus = (out: Output): Status => {
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show(text, now = false) {
      const everyMs = out.isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere;
      if (!now && performance.now() - shownMs < everyMs) return;
      shownMs = performance.now();
      if (out.isTTY) out.write(`\r${text.slice(0, (out.columns ?? 80) - 1)}${CLEAR_LINE}`);
      else out.write(`${text}\n`);
    },
    end() {
      if (out.isTTY && shownMs > 0) out.write('\n');
    },
  };
};

const MEGABYTE = 1_000_000;

/** Writes bytes for people, such as `12.5 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
