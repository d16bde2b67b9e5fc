/** An agent: it makes the loads that a coordinator orders, one at a time. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../test/servers/scope.ts';
import { plainAim } from '../load/aim.ts';
import { isLoopback } from '../load/deployment.ts';
import { startGenerator } from '../load/fire.ts';
import { nowMs, type Order, type Report } from './wire.ts';

const ALIVE_MS = 1000;
const LATE_MAX_MS = 250;

/** How an agent listens. */
export interface AgentOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly secret: string;
  /** Whether it loads other machines. */
  readonly allowRemote: boolean;
}

/** Starts a generator. Resolves when it can begin a load at once. */
const startReady = async () => {
  const steps: (() => unknown)[] = [];
  const generator = startGenerator({ teardown: (step) => void steps.push(step) });
  const nothing = { url: 'http://127.0.0.1', mix: [['bare', 1]] as const, aim: plainAim('ready') };
  await generator.counted({ ...nothing, connections: 0, requests: 0 });
  return { generator, stop: () => steps.map((step) => step()) };
};

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Starts an agent, which ends with `scope`. Returns its address. */
export const startAgent = async (
  scope: Scope,
  { host, port, secret, allowRemote }: AgentOptions,
): Promise<string> => {
  let current: Awaited<ReturnType<typeof startReady>> | null = await startReady();
  let isBusy = false;
  const stop = () => {
    current?.stop();
    current = null;
  };

  /** Makes a load; when the coordinator goes away before its end, the load ends too. */
  const make = async ({ kind, job, startMs }: Order, answer: ServerResponse): Promise<Report> => {
    answer.once('close', stop);
    try {
      current ??= await startReady();
      const { generator } = current;
      await sleep(startMs - nowMs());
      const lateMs = nowMs() - startMs;
      if (lateMs > LATE_MAX_MS) throw new Error(`it began ${Math.round(lateMs)} ms late`);
      if (answer.destroyed) throw new Error('the coordinator went away');
      return { result: kind === 'open' ? await generator.open(job) : await generator.closed(job) };
    } catch (error) {
      stop();
      return { fault: (error as Error).message };
    } finally {
      answer.off('close', stop);
    }
  };

  const load = async (order: Order, answer: ServerResponse): Promise<void> => {
    const refuse = (why: string) => void answer.writeHead(409).end(why);
    if (isBusy) return refuse('it makes another load');
    if (!allowRemote && !isLoopback(order.job.url))
      return refuse(`${new URL(order.job.url).host} is another machine: start it with --allow-remote`);
    if (order.startMs < nowMs()) return refuse('the order came after the start');
    isBusy = true;
    answer.writeHead(200).flushHeaders();
    const alive = setInterval(() => answer.write(' '), ALIVE_MS);
    const report = await make(order, answer);
    clearInterval(alive);
    isBusy = false;
    answer.end(JSON.stringify(report));
  };

  const answerTo = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const receivedMs = nowMs();
    if (!isSame(request.headers.authorization ?? '', `Bearer ${secret}`)) {
      answer.writeHead(401, { connection: 'close' }).end();
      return;
    }
    if (request.url === '/clock') {
      request.resume();
      answer.end(JSON.stringify({ receivedMs, sentMs: nowMs() }));
    } else await load((await json(request)) as Order, answer);
  };

  const server = createServer((request, answer) => {
    answerTo(request, answer).catch((error: Error) => answer.writeHead(400).end(error.message));
  }).listen(port, host);
  scope.teardown(() => {
    stop();
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  return `${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
};
