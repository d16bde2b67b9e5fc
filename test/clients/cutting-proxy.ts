/** A proxy that loses answers, to test how clients react. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestScope } from '../servers/server-process.ts';

/** Hop-by-hop headers, and those that `fetch` sets itself. */
const OF_CONNECTION = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** How often it loses the answer to one request. This header of the request overrides the default. */
const CUTS_HEADER = 'x-test-cuts';
/** The path that answers with the number of lost answers. */
const COUNT_PATH = '/cuts';

const passedOn = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.includes(name)));

/** Identifies a request, so that a retry has the identity of the first try. */
const identityOf = ({ method, url, headers }: IncomingMessage): string =>
  JSON.stringify([headers['idempotency-key'] ?? [method, url, headers['upload-offset'], headers.range]]);

/** Sends the first half of a file and ends the connection. */
const sendHalf = (response: ServerResponse, status: number, headers: object, bytes: Buffer): void => {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
};

/**
 * Starts a proxy in front of a gateway. The gateway answers every request, but the connection ends before the first
 * answer reaches the caller. Of the first answer with a part of a batch, half arrives.
 *
 * @returns Its address.
 */
export const startCuttingProxy = async (scope: TestScope, target: string): Promise<string> => {
  const times = new Map<string, number>();
  let lost = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    if (url === COUNT_PATH) return void response.end(JSON.stringify(lost));
    const body = await buffer(request);
    const sent = passedOn(Object.entries(headers) as [string, string][]);
    const answered = await fetch(target + url, {
      ...{ method, headers: sent, redirect: 'manual' },
      ...(body.length > 0 ? { body } : {}),
    });
    const bytes = Buffer.from(await answered.arrayBuffer());
    const identity = identityOf(request);
    const before = times.get(identity) ?? 0;
    times.set(identity, before + 1);
    const received = passedOn(answered.headers);
    if (before >= Number(headers[CUTS_HEADER] ?? 1))
      return void response.writeHead(answered.status, received).end(bytes);
    lost += 1;
    if (/\/parts\/\d+$/.test(url)) sendHalf(response, answered.status, received, bytes);
    else request.socket.destroy();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
