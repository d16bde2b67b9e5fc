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
 * Runs something when a connection ends, whatever ends it, unless the function that is given back was called before.
 * A response of its own is no sure sign: one that waits behind another on the same connection says nothing when that
 * ends. One listener a connection serves all its requests.
 */
export const onConnectionEnd = (socket: Socket, run: () => void): (() => void) => {
  const runs = runsOf(socket);
  runs.add(run);
  return () => runs.delete(run);
};
