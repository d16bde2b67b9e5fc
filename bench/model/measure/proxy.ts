/**
 * A TCP proxy on this machine that holds every byte back for a time, as a network of that length does, and counts them.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from '../../../test/servers/scope.ts';

/** A running proxy. */
export interface DelayProxy {
  readonly port: number;
  /** Bytes that it took so far, both directions together, and each by itself. */
  sent(): { readonly toServer: number; readonly toClient: number };
  /** Each way: a round trip takes twice as long. Holds for bytes that arrive from now on. */
  setDelayMs(delayMs: number): void;
}

/** A sender that is further ahead has to wait, as on a real network. */
const HELD_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Starts a proxy to a port of this machine; it ends with `scope`. Bytes keep their order, and the end of a connection
 * comes after them.
 */
export const startDelayProxy = async (scope: Scope, targetPort: number, delayMs = 0): Promise<DelayProxy> => {
  const count = { toServer: 0, toClient: 0 };
  const open = new Set<Socket>();
  let currentMs = delayMs;

  const forward = (from: Socket, to: Socket, direction: keyof typeof count): void => {
    const held: { readonly chunk: Buffer | null; readonly dueMs: number }[] = [];
    let heldBytes = 0;
    let timer: NodeJS.Timeout | null = null;
    const release = (): void => {
      timer = null;
      // A timer may fire up to a millisecond early.
      while (held.length > 0 && held[0]!.dueMs <= performance.now()) {
        const { chunk } = held.shift()!;
        if (chunk === null) {
          to.end();
          return;
        }
        heldBytes -= chunk.length;
        to.write(chunk);
      }
      if (heldBytes < HELD_MAX_BYTES) from.resume();
      if (held.length > 0) timer = setTimeout(release, Math.max(1, held[0]!.dueMs - performance.now()));
    };
    const hold = (chunk: Buffer | null): void => {
      if (chunk !== null && currentMs === 0 && held.length === 0) {
        to.write(chunk);
        return;
      }
      held.push({ chunk, dueMs: performance.now() + currentMs });
      heldBytes += chunk?.length ?? 0;
      if (heldBytes >= HELD_MAX_BYTES) from.pause();
      if (timer === null) release();
    };
    from.on('data', (chunk: Buffer) => {
      count[direction] += chunk.length;
      hold(chunk);
    });
    from.on('end', () => hold(null));
    from.on('close', () => {
      open.delete(from);
      if (from.errored) to.destroy();
    });
    from.on('error', () => {});
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, upstream]) open.add(socket.setNoDelay(true));
    forward(client, upstream, 'toServer');
    forward(upstream, client, 'toClient');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => ({ ...count }),
    setDelayMs(ms) {
      currentMs = ms;
    },
  };
};

/** Returns the URL of a server through a proxy to its port. */
export const through = (url: string, { port }: DelayProxy): string =>
  Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
