import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';

export interface Listening {
  readonly port: number;
  /** Number of connections that were opened. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

const listen = async (
  server: Server | ReturnType<typeof createTcpServer>,
  host: string,
  port: number,
): Promise<Listening> => {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export const serve = (handler: RequestListener, host = '127.0.0.1'): Promise<Listening> =>
  listen(createServer(handler), host, 0);

/** Accepts connections and never answers. Connections to 0.0.0.0 and :: arrive at the loopback addresses. */
export const listenOn = (host: string, port = 0): Promise<Listening> =>
  listen(
    createTcpServer(() => undefined),
    host,
    port,
  );

/** A fake name service. Each name has a list of answers, one per query; the last one repeats. */
export const answering = (names: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const asked: Record<string, number> = {};
  const lookup: LookupFunction = (hostname, _options, callback) => {
    const name = hostname.replace(/\.$/, '');
    const turn = asked[name] ?? 0;
    asked[name] = turn + 1;
    const lists = names[name] ?? [];
    const answers = lists[Math.min(turn, lists.length - 1)];
    if (!answers) return callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    return callback(
      null,
      answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { lookup, asked };
};
