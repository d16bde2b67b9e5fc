/** Servers of a test's own process, on free ports of 127.0.0.1. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { TestScope } from './server-process.ts';

/** Lets a server listen until the end of its test, which cuts its connections. Returns the port. */
export const listen = async (scope: TestScope, server: Server): Promise<number> => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scope.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** Starts an HTTP server, and returns its address. */
export const serve = async (scope: TestScope, answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(scope, createServer(answer))}`;

/** Resolves when something listens on a port, and rejects when nothing does. */
export const canConnect = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
};
