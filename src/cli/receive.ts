/** Files of the gateway that are received as they come. */
import type { Operation } from '../../clients/typescript/src/request.ts';
import { keyOf, readBaseUrl } from './admin.ts';
import { type Ask, createPatientCall, explained } from './api.ts';
import type { KeyOptions } from './options.ts';
import { commandError, type Terminal } from './terminal.ts';

/** Yields the bytes of an answer. @throws {CliFault} when it does not come to its end. */
export async function* wholeOf(
  { body }: Response,
  url: string,
  interrupted: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw commandError(
      interrupted.aborted ? 'interrupted' : `${url} broke off before the end; run the command again`,
    );
  }
}

/**
 * Asks for a file, and yields its bytes.
 *
 * @throws {CliFault} when it is refused, when it breaks off, and when the command is interrupted.
 */
export async function* receiveFile(
  path: string,
  ask: Ask,
  options: KeyOptions,
  terminal: Terminal,
): AsyncGenerator<Uint8Array> {
  const url = readBaseUrl(options, terminal);
  const signal = terminal.onInterrupt();
  const call = createPatientCall(url, keyOf(options, terminal), signal, terminal.err);
  const operation: Operation = { method: 'GET', path, auth: 'key', answer: 'file' };
  const { timeoutMs, ...input } = ask;
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const { response } = await call(operation, input, limit).catch((error: unknown) => {
    throw signal.aborted ? commandError('interrupted') : explained(url, error);
  });
  yield* wholeOf(response, url, signal);
}

/** Asks for a file of text, and prints it as it comes. @throws {CliFault} as `receiveFile`. */
export const printFile = async (
  path: string,
  ask: Ask,
  options: KeyOptions,
  terminal: Terminal,
): Promise<void> => {
  const decoder = new TextDecoder();
  for await (const chunk of receiveFile(path, ask, options, terminal))
    terminal.out.write(decoder.decode(chunk, { stream: true }));
};
