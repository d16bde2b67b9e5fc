/** Where the lines of the logs go. */
import { type DestinationStream, destination } from 'pino';

/** What waits while a log cannot be written. Further lines are dropped. */
const WAITING_MAX_BYTES = 1024 * 1024;
/** A shorter secret may be a part of other words. */
const SECRET_MIN_LENGTH = 8;

/** Returns a function that masks a secret in lines of JSON, also as a part of an address. */
const maskingOf = (secret: string | null): ((lines: string) => string) => {
  if (secret === null || secret.length < SECRET_MIN_LENGTH) return (lines) => lines;
  const forms = [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
  return (lines) => forms.reduce((text, form) => text.replaceAll(form, '***'), lines);
};

/**
 * Opens a log on a file descriptor, standard output by default. `write` never throws: a full disk or a closed terminal
 * must not stop the service. Lines wait until one can be written again; then a line says how many were dropped.
 *
 * @param secret The operator's token, which may be sent in the wrong place. It is masked wherever a line has it.
 */
export const openLogOutput = (secret: string | null, descriptor = 1): DestinationStream => {
  const mask = maskingOf(secret);
  const output = destination({ dest: descriptor, sync: true, maxLength: WAITING_MAX_BYTES });
  let dropped = 0;
  output.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1;
  });
  output.on('write', () => {
    if (dropped === 0) return;
    const line = { level: 50, time: Date.now(), pid: process.pid, dropped, msg: 'log lines dropped' };
    dropped = 0;
    output.write(`${JSON.stringify(line)}\n`);
  });
  output.on('error', () => {});
  // Not `flushSync`, which tries again for ever: nothing waits for it but lines that could not be written.
  return { write: (lines) => void output.write(mask(lines)) };
};
