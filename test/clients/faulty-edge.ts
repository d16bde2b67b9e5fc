/** A proxy that fails as the edges of networks do, to test that clients lose nothing behind one. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestScope } from '../servers/server-process.ts';
import { createFractions } from '../support/random.ts';

/** Hop-by-hop headers, and those that `fetch` sets itself. */
const OF_CONNECTION = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** The share of requests that fail. */
const SHARE = 0.3;
/** One request fails at most so many times in a row, so that the test does not depend on the patience of clients. */
const IN_A_ROW_MAX = 5;

/** Ways to fail. Those of the first list come before the request reaches the gateway, the others lose its answer. */
const UNSENT = ['drop', 'bare 429', 'dated 429', 'bare 502', 'bare 503'] as const;
const LOST = [
  'drop after',
  'cut after head',
  'cut in body',
  'cut in chunk',
  '502 after',
  '503 after',
] as const;

/** A way to fail. */
export type Failure = (typeof UNSENT)[number] | (typeof LOST)[number];

/** All of them. */
export const FAILURES: readonly Failure[] = [...UNSENT, ...LOST];

const passedOn = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.includes(name)));

/** Answers as an edge, whose body is not that of the service. */
const fake = (response: ServerResponse, status: number, retryAfter?: string): void => {
  const headers = { 'content-type': 'text/html', ...(retryAfter && { 'retry-after': retryAfter }) };
  response.writeHead(status, headers).end(`<html><body><h1>${status}</h1></body></html>`);
};

const loseAnswer = (failure: Failure, response: ServerResponse, answered: Response, bytes: Buffer): void => {
  const head = passedOn(answered.headers);
  const end = () => response.destroy();
  switch (failure) {
    case '502 after':
      fake(response, 502);
      break;
    case '503 after':
      fake(response, 503, '0');
      break;
    case 'cut after head':
      response.writeHead(answered.status, { ...head, 'content-length': bytes.length + 1 });
      response.flushHeaders();
      setImmediate(end);
      break;
    case 'cut in body':
      response.writeHead(answered.status, { ...head, 'content-length': bytes.length + 1 });
      response.write(bytes.subarray(0, bytes.length / 2), end);
      break;
    case 'cut in chunk':
      response.writeHead(answered.status, head);
      response.write(bytes.subarray(0, bytes.length / 2), end);
      break;
    default:
      end();
  }
};

const refuse = (failure: Failure, response: ServerResponse): void => {
  switch (failure) {
    case 'bare 429':
      fake(response, 429, '0');
      break;
    case 'dated 429':
      fake(response, 429, new Date(Date.now() + 500).toUTCString());
      break;
    case 'bare 502':
      fake(response, 502);
      break;
    case 'bare 503':
      fake(response, 503, '0');
      break;
    default:
      response.destroy();
  }
};

/** Starts it in front of a gateway. `failed` counts what it did, and `passed` what it left alone. */
export const startFaultyEdge = async (scope: TestScope, target: string, seed: number) => {
  const random = createFractions(seed);
  const failed = new Map<Failure, number>();
  const inARow = new Map<string, number>();
  const counts = { passed: 0 };

  /** Returns how a request fails; `null`: it does not. */
  const failureOf = ({ method, url, headers }: IncomingMessage): Failure | null => {
    const identity = `${method} ${url} ${headers['idempotency-key']}`;
    const before = inARow.get(identity) ?? 0;
    const [isFailing, which] = [random() < SHARE, random()];
    if (!isFailing || before >= IN_A_ROW_MAX) {
      inARow.delete(identity);
      counts.passed += 1;
      return null;
    }
    inARow.set(identity, before + 1);
    const failure = FAILURES[Math.floor(which * FAILURES.length)]!;
    failed.set(failure, (failed.get(failure) ?? 0) + 1);
    return failure;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const failure = failureOf(request);
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    if (failure !== null && (UNSENT as readonly Failure[]).includes(failure))
      return refuse(failure, response);
    const answered = await fetch(target + url, {
      ...{ method, headers: passedOn(Object.entries(headers) as [string, string][]), redirect: 'manual' },
      ...(body.length > 0 ? { body } : {}),
    });
    const bytes = Buffer.from(await answered.arrayBuffer());
    if (failure !== null) return loseAnswer(failure, response, answered, bytes);
    response.writeHead(answered.status, passedOn(answered.headers)).end(bytes);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, failed, counts };
};
