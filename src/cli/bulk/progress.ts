import { CLEAR_LINE, count, type Output } from '../terminal.ts';

/** Counts the rows of a run and shows them. */
export interface Progress {
  /** Counts `rows` as done, of which `failed` failed. */
  add(rows: number, failed: number): void;
  readonly done: number;
  readonly failed: number;
  end(): void;
}

const BAR_WIDTH = 28;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;

/** Writes a time for people, such as `3 min 12 s`. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
};

/**
 * Makes the progress of a run: a bar on a terminal, a line every five seconds elsewhere.
 *
 * @param total All rows of the input, including those of `before`.
 * @param before What earlier runs have done.
 */
export const createProgress = (
  out: Output,
  total: number,
  before: { readonly rowsDone: number; readonly rowsFailed: number },
): Progress => {
  const startedMs = performance.now();
  let done = before.rowsDone;
  let failed = before.rowsFailed;
  let shownMs = startedMs;

  const text = (): string => {
    const perSecond = (done - before.rowsDone) / Math.max(0.001, (performance.now() - startedMs) / 1000);
    const parts = [`${count(done)} of ${count(total)} rows`];
    if (failed > 0) parts.push(`${count(failed)} failed`);
    if (perSecond > 0) parts.push(`${count(Math.round(perSecond))} a second`);
    if (perSecond > 0 && done < total) parts.push(`${duration((total - done) / perSecond)} left`);
    return parts.join(', ');
  };

  const show = (): void => {
    shownMs = performance.now();
    if (!out.isTTY) {
      out.write(`${text()}\n`);
      return;
    }
    const filled = Math.round((BAR_WIDTH * done) / total);
    const line = `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}] ${text()}`;
    out.write(`\r${line.slice(0, (out.columns ?? 80) - 1)}${CLEAR_LINE}`);
  };

  return {
    add(rows, rowsFailed) {
      done += rows;
      failed += rowsFailed;
      if (performance.now() - shownMs >= (out.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS)) show();
    },
    get done() {
      return done;
    },
    get failed() {
      return failed;
    },
    end() {
      show();
      if (out.isTTY) out.write('\n');
    },
  };
};
