/** How long a gateway that does not answer is waited for, and what the user is told of it. */
import { reasonOfSilence } from './api.ts';
import { failed } from './fault.ts';
import { CLEAR_LINE, type Output } from './terminal.ts';

/** A gateway may be restarted within this time. */
const GIVE_UP_MS = 300_000;
const GIVE_UP_TOLD = `${GIVE_UP_MS / 60_000} minutes`;

/** Counts how long nothing has succeeded. */
export interface Outage {
  /**
   * Notes that a call has failed. Tells the user at once, and once an outage, when the gateway cannot be reached.
   *
   * @param error What `fetch` threw; `null` when the gateway has answered.
   * @throws {CliFault} when nothing has succeeded for `GIVE_UP_MS`.
   */
  fail(problem: string, error: unknown): void;
  /** Notes that a call has succeeded. */
  end(): void;
}

/** Makes the outage of a run with a gateway. */
export const createOutage = (url: string, err: Output): Outage => {
  let sinceMs: number | null = null;
  let isTold = false;
  return {
    fail(problem, error) {
      sinceMs ??= performance.now();
      if (performance.now() - sinceMs > GIVE_UP_MS) throw failed(`gave up after ${GIVE_UP_TOLD}: ${problem}`);
      const reason = error === null ? null : reasonOfSilence(error);
      if (reason === null || isTold) return;
      isTold = true;
      const line = `${url} cannot be reached (${reason}); trying again for up to ${GIVE_UP_TOLD}\n`;
      err.write(err.isTTY ? `\r${CLEAR_LINE}${line}` : line);
    },
    end() {
      sinceMs = null;
      isTold = false;
    },
  };
};
