/** When and how the process ends: on a signal, after an error that nothing handled, or killed when that takes too long. */
import closeWithGrace from 'close-with-grace';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** One Ctrl-C reaches a process twice where the shell signals the whole group and `npm` passes it on. */
const SAME_SIGNAL_MS = 2000;

/** `process.exit` waits for threads, also for one that hangs in native code. */
export const killItself = (): void => void process.kill(process.pid, 'SIGKILL');

export interface EndingLog {
  info(details: object, message: string): void;
  error(details: unknown, message?: string): void;
  fatal(details: object, message: string): void;
}

/**
 * From now on the first signal, or an error that nothing handled, runs `end` and then exits, with 0 after a signal
 * and 1 after an error. Further signals are nothing for two seconds, and afterwards end the process at once, as they
 * end any.
 *
 * @param timeoutMs For `end`; the process is killed when it takes longer.
 */
export const endInOrder = (end: () => Promise<void>, timeoutMs: number, log: EndingLog): void => {
  // Left to the library, a second signal would mean "now" however soon it follows.
  const options = {
    skip: [...SIGNALS, 'beforeExit' as const],
    delay: timeoutMs,
    logger: log,
    onTimeout: killItself,
  };
  const { close } = closeWithGrace(options, async ({ err }) => {
    if (err !== undefined) log.fatal({ err }, 'ending after an error that nothing handled');
    await end();
  });

  let signalled = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signalled) return;
    signalled = true;
    log.info({ signal }, 'ending');
    const letSignalsKill = () => {
      for (const name of SIGNALS) process.removeListener(name, onSignal);
    };
    setTimeout(letSignalsKill, SAME_SIGNAL_MS).unref();
    close();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
};
