/**
 * Shuts the process down gracefully on a signal or after an unhandled error, and kills it when that takes too long.
 */
import { isatty } from 'node:tty';
import closeWithGrace from 'close-with-grace';

/** A signal that ends a process in order. */
export type EndingSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';
const SIGNALS: readonly EndingSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];
/** The signals of a process for which SIGHUP means something else; see `onHangup`. */
export const WITHOUT_HANGUP: readonly EndingSignal[] = ['SIGINT', 'SIGTERM'];

/** One Ctrl-C may arrive twice: the shell signals the whole process group, and `npm` passes the signal on. */
const SAME_SIGNAL_MS = 2000;

/** Ends the process at once. `process.exit` would wait for its threads, even for one that hangs in native code. */
export const killItself = (): void => void process.kill(process.pid, 'SIGKILL');

/** The standard streams that were terminals when the process began. */
const TERMINALS = [0, 1, 2].filter(isatty);

/** The log of the ending. `error` also takes what `close-with-grace` passes. */
export interface EndingLog {
  info(details: object, message: string): void;
  error(details: unknown, message?: string): void;
  fatal(details: object, message: string): void;
}

/** Runs `run` on each SIGHUP from now on. */
export const onHangup = (run: () => void): void => void process.on('SIGHUP', run);

/**
 * Handles the end of the process from now on. The first signal, or an unhandled error, runs `end` and then
 * exits: with 0 after a signal, with 1 after an error. Further signals are ignored for two seconds. After that, they
 * end the process at once.
 *
 * @param timeoutMs How long `end` may take; then the process is killed.
 * @param signals Those that end the process.
 * @returns What ends the process in the same way without a signal, for the reason that it is given.
 */
export const endInOrder = (
  end: () => Promise<void>,
  timeoutMs: number,
  log: EndingLog,
  signals = SIGNALS,
): ((reason: string) => void) => {
  // The library does not handle the signals: it would end the process at once on a second one, however soon it follows.
  const options = {
    skip: [...SIGNALS, 'beforeExit' as const],
    delay: timeoutMs,
    logger: log,
    onTimeout: killItself,
  };
  const { close } = closeWithGrace(options, async ({ err }) => {
    if (err !== undefined) log.fatal({ err }, 'unhandled error; shutting down');
    await end();
    // Node 20 restores the terminal when it exits, and without one crashes again and again.
    if (!TERMINALS.every(isatty)) killItself();
  });

  let ending = false;
  const begin = (details: object): void => {
    if (ending) return;
    ending = true;
    log.info(details, 'shutting down');
    close();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const letSignalsKill = () => {
      for (const name of signals) process.removeListener(name, onSignal);
    };
    setTimeout(letSignalsKill, SAME_SIGNAL_MS).unref();
    begin({ signal });
  };
  for (const name of signals) process.on(name, onSignal);
  return (reason) => begin({ reason });
};
