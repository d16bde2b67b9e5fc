/** Many connections that begin something and then do nothing. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many connections got each status; 0: none yet. */
export type Statuses = Readonly<Record<number, number>>;

/** What a connection sends. */
export type Pieces = readonly (string | Buffer)[];

/** Connections that are opened at a time, so that no queue of the kernel overflows. */
const AT_ONCE = 200;
const BETWEEN_MS = 20;

/**
 * Opens connections, each of which sends what `sent` returns for its number and reads no more than the beginning of an
 * answer. They are open until `end`.
 */
export const crowd = async (url: string, count: number, sent: (n: number) => Pieces) => {
  const { hostname, port } = new URL(url);
  const found = new Map<Socket, number>();
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    found.set(socket, 0);
    socket.on('error', () => {});
    // What is not read fills the buffers of the kernel, and then waits in the gateway.
    socket.once('readable', () => {
      const head = String(socket.read() ?? '');
      found.set(socket, Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0));
    });
    for (const piece of sent(n)) socket.write(piece);
    if (n % AT_ONCE === AT_ONCE - 1) await sleep(BETWEEN_MS);
  }
  return {
    statuses: (): Statuses => {
      const counts: Record<number, number> = {};
      for (const status of found.values()) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    },
    end: () => {
      for (const socket of found.keys()) socket.destroy();
    },
  };
};

/** Returns the head of a request. @param token `null` without a key. */
export const headOf = (request: string, token: string | null, headers: object = {}): string =>
  [
    `${request} HTTP/1.1`,
    'host: bench',
    ...(token === null ? [] : [`authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
