/** A TCP proxy between the gateway and a server that it depends on, which can disturb the network between them. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../listen.ts';
import type { TestScope } from '../server-process.ts';

/** A network connection that can be disturbed. */
export interface TestProxy {
  readonly port: number;
  /** Number of connections that it has forwarded so far. */
  readonly connections: number;
  /** Bytes that it has received so far. */
  readonly taken: { readonly toServer: number; readonly toClient: number };
  /** Delays every byte, in both directions. */
  delay(ms: number): void;
  /** Becomes a black hole: connections stay open and new ones are accepted, but no byte gets through before `heal`. */
  hold(): void;
  /** Resets open and new connections, like a host whose server has ended. */
  cut(): void;
  /** Leaves open connections alone, and resets new ones after the first bytes of the server. */
  cutNew(): void;
  /**
   * Drops answers, while requests reach the server: from the first answer that contains `text`, a connection receives
   * nothing more, and `heal` resets it.
   */
  swallow(text?: string): void;
  heal(): void;
}

type Mode = 'open' | 'held' | 'cut' | 'cut new' | 'swallowing';

/** Returns a URL with the proxy in place of its server. */
export const through = (url: string, { port }: Pick<TestProxy, 'port'>): string => {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${port}`;
  return changed.href;
};

/** Starts a proxy in front of the server at `target`, which need not run yet. */
export const startProxy = async (
  scope: TestScope,
  target: { host?: string; port: number },
): Promise<TestProxy> => {
  const sockets = new Set<Socket>();
  /** Connections that have lost an answer. */
  const deaf = new Set<Socket>();
  let mode: Mode = 'open';
  let swallowed = '';
  let delayMs = 0;
  let connections = 0;
  const taken = { toServer: 0, toClient: 0 };

  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      deaf.delete(socket);
    });
    if (mode === 'held') socket.pause();
    return socket;
  };

  /** Forwards chunks one after the other, so that after a reduced delay later bytes cannot overtake earlier ones. */
  const carry = (from: Socket, to: Socket, way: keyof typeof taken): void => {
    let before = Promise.resolve();
    const next = (run: () => void) => {
      const dueMs = performance.now() + delayMs;
      before = before.then(async () => {
        const leftMs = dueMs - performance.now();
        if (leftMs > 0) await sleep(leftMs);
        run();
      });
    };
    from.on('data', (chunk) => {
      taken[way] += chunk.length;
      if (!deaf.has(to)) next(() => to.write(chunk));
    });
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
    upstream.on('data', (chunk: Buffer) => {
      if (mode === 'swallowing' && chunk.includes(swallowed)) deaf.add(client);
    });
    carry(client, upstream, 'toServer');
    carry(upstream, client, 'toClient');
  });
  const port = await listen(scope, server);

  return {
    port,
    get connections() {
      return connections;
    },
    taken,
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
    swallow(text = '') {
      mode = 'swallowing';
      swallowed = text;
    },
    heal() {
      mode = 'open';
      delayMs = 0;
      for (const socket of deaf) socket.resetAndDestroy();
      for (const socket of sockets) socket.resume();
    },
  };
};
