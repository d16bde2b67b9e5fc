/** What a command shows while it works. */
import { CLEAR_LINE, formatCount, type Output } from './terminal.ts';

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
