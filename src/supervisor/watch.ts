import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayProcess } from './gateway-process.ts';

/** Questions in a row without an answer after which a process hangs. */
const MISSED_MAX = 6;

/**
 * Asks the process for its metrics every `intervalMs` until it ends. Calls `onHung` once when it has not answered six
 * times in a row.
 */
export const watch = async (
  process: Pick<GatewayProcess, 'report' | 'ended'>,
  intervalMs: number,
  onHung: () => void,
): Promise<void> => {
  let hasEnded = false;
  void process.ended.then(() => {
    hasEnded = true;
  });
  for (let missed = 0; missed < MISSED_MAX; ) {
    await sleep(intervalMs, undefined, { ref: false });
    if (hasEnded) return;
    missed = (await process.report()) === null ? missed + 1 : 0;
  }
  if (!hasEnded) onHung();
};
