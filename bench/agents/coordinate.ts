/** One generator made of agents on several machines, which begin together. */
import { request } from 'undici';
import type { Generator } from '../load/fire.ts';
import type { ClosedJob, ClosedResult, OpenJob, OpenResult } from '../load/job.ts';
import { mergeResults } from '../load/outcomes.ts';
import {
  AgentFault,
  type Clock,
  type ClockAnswer,
  clockOf,
  LostAgent,
  mergeClosed,
  nowMs,
  type Order,
  type Report,
  shareOf,
  turnMs,
} from './wire.ts';

/** The exchange with the shortest way of these tells most about the clock. */
const EXCHANGES = 8;
/** Until the start, for the orders to arrive. */
const LEAD_MS = 1000;
/** An agent says something every second. */
const SILENCE_MAX_MS = 5000;

const post = async (address: string, path: string, secret: string, body: unknown, signal?: AbortSignal) => {
  const { statusCode, body: answer } = await request(`http://${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
    headersTimeout: SILENCE_MAX_MS,
    bodyTimeout: SILENCE_MAX_MS,
    ...(signal && { signal }),
  });
  const text = await answer.text();
  if (statusCode === 401) throw new AgentFault(`the agent ${address} has another secret`);
  if (statusCode !== 200) throw new AgentFault(`the agent ${address} refused: ${text}`);
  return JSON.parse(text) as unknown;
};

/** Returns how far the clock of an agent is ahead of this machine's. */
export const measureClock = async (address: string, secret: string): Promise<Clock> => {
  const clocks: Clock[] = [];
  for (let n = 0; n < EXCHANGES; n += 1) {
    const askedMs = nowMs();
    const answer = (await post(address, '/clock', secret, null)) as ClockAnswer;
    clocks.push(clockOf(askedMs, answer, nowMs()));
  }
  return clocks.reduce((best, clock) => (clock.roundTripMs < best.roundTripMs ? clock : best));
};

/** Returns clocks, by agent. @throws {AgentFault} When an agent cannot be reached or has another secret. */
export const greetAgents = (addresses: readonly string[], secret: string): Promise<readonly Clock[]> =>
  Promise.all(
    addresses.map((address) =>
      measureClock(address, secret).catch((error: Error) => {
        throw error instanceof AgentFault
          ? error
          : new AgentFault(`the agent ${address} cannot be reached: ${error.message}`);
      }),
    ),
  );

/**
 * Returns a generator whose loads are shared by the agents. The first request of each is due in turn, by clocks that
 * are compared before each load. A load rejects with an `AgentFault` as soon as one of them fails or falls silent.
 */
export const coordinate = (
  addresses: readonly string[],
  secret: string,
): Pick<Generator, 'closed' | 'open'> => {
  const of = addresses.length;
  const run = async (kind: Order['kind'], job: OpenJob | ClosedJob, begin: () => void) => {
    const clocks = await greetAgents(addresses, secret);
    const ended = new AbortController();
    const startMs = nowMs() + LEAD_MS;
    const warmUpMs = 'warmUpS' in job ? job.warmUpS * 1000 : 0;
    const beginning = setTimeout(begin, LEAD_MS + warmUpMs);
    const send = async (address: string, at: number) => {
      const agentMs = startMs + clocks[at]!.offsetMs + turnMs(job, at);
      const order = { kind, job: shareOf(job, at, of), startMs: agentMs };
      const report = (await post(address, '/load', secret, order, ended.signal).catch((error: Error) => {
        if (error instanceof AgentFault) throw error;
        throw new AgentFault(`the agent ${address} did not end its load: ${error.message}`);
      })) as Report;
      if ('fault' in report) throw new AgentFault(`the agent ${address} failed: ${report.fault}`);
      return report.result;
    };
    try {
      return await Promise.all(addresses.map(send));
    } catch (error) {
      throw new LostAgent(`${(error as Error).message}; the run is not valid without it`);
    } finally {
      clearTimeout(beginning);
      ended.abort();
    }
  };
  return {
    open: async (job, begin = () => {}) => mergeResults((await run('open', job, begin)) as OpenResult[]),
    closed: async (job, begin = () => {}) => mergeClosed((await run('closed', job, begin)) as ClosedResult[]),
  };
};
