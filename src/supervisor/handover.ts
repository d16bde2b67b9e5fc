import type { ChildProcess } from 'node:child_process';

/** The part of a connection that is needed here. */
interface Connection {
  close(): void;
}

/**
 * Notes the connections that `node:cluster` hands over to a process, one at a time. Returns what closes the last one,
 * to be called when the process has died. Node.js itself would never close a connection that was on its way then, and
 * its caller would wait for ever. For one that has arrived nothing happens: it is closed on this side already.
 */
export const noteHandovers = (process: ChildProcess): (() => void) => {
  let last: Connection | undefined;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  process.send = (...given: unknown[]): boolean => {
    const [, handle] = given;
    if (typeof handle === 'object' && handle !== null && 'close' in handle) last = handle as Connection;
    return send(...given);
  };
  return () => last?.close();
};
