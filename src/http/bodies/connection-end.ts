import type { Socket } from 'node:net';

const waiting = new WeakMap<Socket, Set<() => void>>();

const runsOf = (socket: Socket): Set<() => void> => {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const runs = new Set<() => void>();
  waiting.set(socket, runs);
  socket.once('close', () => {
    for (const run of runs) run();
  });
  return runs;
};

/**
 * Calls `run` when the connection closes for any reason, unless the returned function was called before. The `close`
 * event of a response is not enough: a response that waits behind another on the same connection may never have one.
 * All requests of a connection share one listener.
 */
export const onConnectionEnd = (socket: Socket, run: () => void): (() => void) => {
  const runs = runsOf(socket);
  runs.add(run);
  return () => runs.delete(run);
};
