/** A TCP proxy between the gateway and what it depends on, to make the network between them bad. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestScope } from './server-process.ts';

export interface TestProxy {
  readonly port: number;
  /** Connections that it has passed on so far. */
  readonly connections: number;
  /** Holds every byte back for so long, in both directions. */
  delay(ms: number): void;
  /** A black hole: connections stay and are taken, and nothing gets through before `heal`. */
  hold(): void;
  /** Resets what is open and whatever comes, as a host does that has lost its server. */
  cut(): void;
  /** What is open goes on; what comes is reset when the server has said its first word. */
  cutNew(): void;
  heal(): void;
}

type Mode = 'open' | 'held' | 'cut' | 'cut new';

/** Where a URL's server is to be reached through the proxy. */
export const through = (url: string, { port }: TestProxy): string => {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${port}`;
  return changed.href;
};

export const startProxy = async (
  scope: TestScope,
  target: { host?: string; port: number },
): Promise<TestProxy> => {
  const sockets = new Set<Socket>();
  let mode: Mode = 'open';
  let delayMs = 0;
  let connections = 0;

  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (mode === 'held') socket.pause();
    return socket;
  };

  /** One after the other, so that a shorter delay does not let later bytes overtake. */
  const carry = (from: Socket, to: Socket): void => {
    let before = Promise.resolve();
    const next = (run: () => void) => {
      const dueMs = performance.now() + delayMs;
      before = before.then(async () => {
        const leftMs = dueMs - performance.now();
        if (leftMs > 0) await sleep(leftMs);
        run();
      });
    };
    from.on('data', (chunk) => next(() => to.write(chunk)));
    from.on('end', () => next(() => to.end()));
    from.on('close', () => next(() => to.destroy()));
  };

  const server = createServer((client) => {
    keep(client);
    if (mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    connections += 1;
    const upstream = keep(connect(target.port, target.host ?? '127.0.0.1'));
    if (mode === 'cut new') {
      upstream.once('data', () => setImmediate(() => client.resetAndDestroy()));
    }
    carry(client, upstream);
    carry(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    delay(ms) {
      delayMs = ms;
    },
    hold() {
      mode = 'held';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      mode = 'cut';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    cutNew() {
      mode = 'cut new';
    },
    heal() {
      mode = 'open';
      delayMs = 0;
      for (const socket of sockets) socket.resume();
    },
  };
};
