/** A TCP proxy in front of Postgres that loses single answers, like a network failure at the worst moment. */
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../listen.ts';
import type { TestScope } from '../server-process.ts';
import type { TestProxy } from './proxy.ts';

/** A proxy that initially loses nothing. */
export interface PostgresProxy extends Pick<TestProxy, 'port'> {
  /**
   * Drops the next answer with the command tag `tag`, such as `COMMIT` or `INSERT 0 1`, on a connection that sent
   * `marker`, in the same transaction if it has begun one, and resolves then. Postgres has executed the command. The
   * connection is reset or goes silent.
   */
  lose(tag: string, marker: string, then?: 'reset' | 'silence'): Promise<void>;
  /** Holds back LISTEN and NOTIFY messages from the gateways until it is called with `false`. */
  holdNews(held: boolean): void;
}

interface Loss {
  readonly tag: string;
  readonly marker: string;
  readonly then: 'reset' | 'silence';
  tell(): void;
}

/** The first byte of a message with statements without parameters, `Query` of the protocol of Postgres. */
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

/** Starts a proxy in front of the Postgres of `url`. */
export const startPostgresProxy = async (scope: TestScope, url: string): Promise<PostgresProxy> => {
  const { hostname, port } = new URL(url);
  let loss: Loss | null = null;
  let isNewsHeld = false;
  let heldNews: (() => void)[] = [];

  const keep = (socket: Socket): Socket => {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    return socket;
  };

  const server = createServer((client) => {
    keep(client);
    const upstream = keep(connect(Number(port), hostname));
    let isListener = false;
    let mine: Loss | null = null;
    let isSilent = false;
    client.on('data', (chunk) => {
      isListener ||= chunk.includes('listen ');
      // What the connection sent before does not belong to this transaction, whose COMMIT may be of other work.
      if (chunk[0] === SIMPLE_QUERY && chunk.includes('begin')) mine = null;
      if (loss !== null && chunk.includes(loss.marker)) mine = loss;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (mine !== null && mine === loss && chunk.includes(`${mine.tag}\0`)) {
        isSilent = true;
        loss = null;
        mine.tell();
        if (mine.then === 'reset') client.resetAndDestroy();
      }
      if (isSilent) return;
      if (isListener && isNewsHeld) heldNews.push(() => client.write(chunk));
      else client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });

  return {
    port: await listen(scope, server),
    lose: (tag, marker, then = 'reset') =>
      new Promise((resolve) => {
        loss = { tag, marker, then, tell: resolve };
      }),
    holdNews(held) {
      isNewsHeld = held;
      if (held) return;
      for (const pass of heldNews) pass();
      heldNews = [];
    },
  };
};
