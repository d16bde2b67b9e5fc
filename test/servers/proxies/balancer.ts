/** A small HTTP balancer in front of gateways, like the one in docker-compose.yml. */
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../listen.ts';
import type { TestScope } from '../server-process.ts';

/** A balancer that checks every 200 ms which gateways are ready. */
export interface TestBalancer {
  readonly url: string;
  /** Number of gateways that were ready at the last check. */
  readonly ready: number;
  /** Number of answers passed on, by the URL of the gateway. */
  readonly answered: ReadonlyMap<string, number>;
}

const CHECK_PAUSE_MS = 200;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.ok,
    () => false,
  );

/**
 * Passes requests to the gateways that are ready, in turn. When a connection is refused, none of the request was
 * sent, and the next gateway gets it. Replaces the caller's X-Forwarded-For.
 */
export const startBalancer = async (
  scope: TestScope,
  gateways: readonly { readonly url: string }[],
): Promise<TestBalancer> => {
  const urls = gateways.map(({ url }) => url);
  const answered = new Map<string, number>();
  let ready = await Promise.all(urls.map(isReady));
  let turn = 0;
  let ended = false;

  const check = async (): Promise<void> => {
    while (!ended) {
      ready = await Promise.all(urls.map(isReady));
      await sleep(CHECK_PAUSE_MS);
    }
  };

  const next = (tried: ReadonlySet<string>): string | undefined => {
    const usable = urls.filter((url, i) => ready[i] && !tried.has(url));
    turn += 1;
    return usable[turn % usable.length];
  };

  const pass = (from: IncomingMessage, to: ServerResponse, tried: ReadonlySet<string>): void => {
    const url = next(tried);
    if (url === undefined) {
      to.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    const headers = { ...from.headers, 'x-forwarded-for': from.socket.remoteAddress ?? '' };
    const upstream = request(url + from.url, { method: from.method, headers, agent: false }, (answer) => {
      answered.set(url, (answered.get(url) ?? 0) + 1);
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    upstream.on('socket', (socket) => socket.once('connect', () => from.pipe(upstream)));
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') pass(from, to, new Set([...tried, url]));
      else if (to.headersSent) to.destroy();
      else to.writeHead(502).end();
    });
  };

  const checking = check();
  scope.teardown(() => {
    ended = true;
    return checking;
  });
  return {
    url: await serve(scope, (from, to) => pass(from, to, new Set())),
    get ready() {
      return ready.filter(Boolean).length;
    },
    answered,
  };
};
