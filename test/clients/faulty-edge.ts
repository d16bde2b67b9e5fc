/** A proxy that fails as the edges of networks do, to test that clients lose nothing behind one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Failure, type PassedAnswer, startFailingProxy } from '../servers/proxies/failing-proxy.ts';
import type { TestScope } from '../servers/server-process.ts';
import { createFractions } from '../support/random.ts';

/** The share of requests that fail. */
const SHARE = 0.3;
/** One request fails at most so many times in a row, so that the test does not depend on the patience of clients. */
const IN_A_ROW_MAX = 5;

/** Answers as an edge, whose body is not that of the service. */
const fake = (status: number, retryAfter?: () => string) => (to: ServerResponse) => {
  const headers = { 'content-type': 'text/html', ...(retryAfter && { 'retry-after': retryAfter() }) };
  to.writeHead(status, headers).end(`<html><body><h1>${status}</h1></body></html>`);
};

/** Sends the head and a share of the body, and ends the connection. */
const cut = (share: number, isChunked: boolean) => (to: ServerResponse, answer: PassedAnswer) => {
  const { 'content-length': _, ...headers } = answer.headers;
  const { length } = answer.body;
  to.writeHead(answer.status, isChunked ? headers : { ...headers, 'content-length': length + 1 });
  to.flushHeaders();
  const end = () => setImmediate(() => to.destroy());
  if (share > 0) to.write(answer.body.subarray(0, length * share), end);
  else end();
};

const drop = (to: ServerResponse) => void to.destroy();
const now = () => '0';

/** All ways to fail, by name. */
export const FAILURES: Readonly<Record<string, Failure>> = {
  drop: { isSent: false, fail: drop },
  'bare 429': { isSent: false, fail: fake(429, now) },
  'dated 429': { isSent: false, fail: fake(429, () => new Date(Date.now() + 500).toUTCString()) },
  'bare 502': { isSent: false, fail: fake(502) },
  'bare 503': { isSent: false, fail: fake(503, now) },
  'drop after': { isSent: true, fail: drop },
  'cut after head': { isSent: true, fail: cut(0, false) },
  'cut in body': { isSent: true, fail: cut(1 / 2, false) },
  'cut in chunk': { isSent: true, fail: cut(1 / 2, true) },
  '502 after': { isSent: true, fail: fake(502) },
  '503 after': { isSent: true, fail: fake(503, now) },
};

/** Starts it in front of a gateway. `failed` counts what it did, and `passed` what it left alone. */
export const startFaultyEdge = async (scope: TestScope, target: string, seed: number) => {
  const random = createFractions(seed);
  const failed = new Map<string, number>();
  const inARow = new Map<string, number>();
  const counts = { passed: 0 };

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
    const names = Object.keys(FAILURES);
    const name = names[Math.floor(which * names.length)]!;
    failed.set(name, (failed.get(name) ?? 0) + 1);
    return FAILURES[name]!;
  };

  const { url } = await startFailingProxy(scope, target, failureOf);
  return { url, failed, counts };
};
