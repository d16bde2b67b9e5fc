/** Two gateways that work on one link job at a time, and are killed now and then. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Victim } from '../../batches/kills/kills.ts';
import { until } from '../../servers/until.ts';
import type { AnswerBody } from '../../support/app/answer-body.ts';
import type { Ledger } from '../../support/database/ledger.ts';
import { createFractions } from '../../support/random.ts';

export interface KillOptions {
  readonly adminToken: string;
  readonly links: number;
  /** For each job. */
  readonly kills: number;
  /** Seed that decides which gateway is killed when. */
  readonly seed: number;
  readonly ledger: Pick<Ledger, 'sql'>;
  /** Starts a gateway, at the beginning or to replace one that was killed. */
  start(): Promise<Victim>;
  say(text: string): void;
}

const GATEWAYS = 2;
const END_MAX_MS = 1_800_000;
const LATER_MAX_MS = 300;

/** Starts the gateways and makes an account. */
export const startVictims = async ({ adminToken, kills, seed, start, say }: KillOptions) => {
  const random = createFractions(seed);
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, start));
  const fetchFrom = (path: string, token: string, type?: string, body?: string) =>
    fetch(gateways[0]!.url + path, {
      method: type === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
  const ask = async (...call: Parameters<typeof fetchFrom>): Promise<AnswerBody> => {
    const answer = await fetchFrom(...call);
    if (!answer.ok) throw new Error(`${call[0]} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as AnswerBody;
  };
  const post = (path: string, token: string, body: object) =>
    ask(path, token, 'application/json', JSON.stringify(body));
  const { id: accountId } = await post('/admin/v1/accounts', adminToken, { name: 'kills', plan: 'pro' });
  const { key } = await post(`/admin/v1/accounts/${accountId}/keys`, adminToken, { name: 'kills' });
  const show = (id: string) => ask(`/api/v1/link-jobs/${id}`, key);
  const faults: string[] = [];
  return {
    accountId,
    /** What was found wrong. */
    faults,
    expect(is: unknown, wanted: unknown, what: string): void {
      if (is !== wanted) faults.push(`${what}: ${is}, not ${wanted}`);
    },
    show,
    post: (path: string, body: object) => post(`/api/v1${path}`, key, body),
    /** Sends rows, and returns the job and the seconds that this took. */
    async send(path: string, rows: string) {
      const startedMs = performance.now();
      const { id } = await ask(`/api/v1${path}`, key, 'application/x-ndjson', rows);
      return { id, sendSeconds: (performance.now() - startedMs) / 1000 };
    },
    text: async (path: string) => (await fetchFrom(`/api/v1${path}`, key)).text(),
    /** Where a short link leads by the gateway that did not receive the jobs. */
    leadsTo: async (slug: string): Promise<string | null> =>
      (await fetch(`${gateways[1]!.url}/l/${slug}`, { redirect: 'manual' })).headers.get('location'),
    /** Waits until a job has begun to change rows. */
    begins: (id: string) =>
      until(
        async () => {
          const { state, handled, finished_at } = await show(id);
          return finished_at !== null || (state === 'running' && handled > 0);
        },
        { pauseMs: 5, deadlineMs: END_MAX_MS },
      ),
    /** Kills gateways at random until a job has ended, and returns the seconds that this takes. @param rows Of its present state. */
    async endOf(id: string, rows: number): Promise<number> {
      const startedMs = performance.now();
      for (let done = 0; done < kills; done += 1) {
        const wanted = ((done + 0.5) * rows) / (kills + 1);
        const { state } = await show(id);
        const isPast = async () => {
          const { handled, finished_at, ...job } = await show(id);
          return handled >= wanted || finished_at !== null || job.state !== state;
        };
        await until(isPast, { pauseMs: Math.min(200, 20 + rows / 5000), deadlineMs: END_MAX_MS });
        await sleep(random() * LATER_MAX_MS);
        const { handled, finished_at } = await show(id);
        if (finished_at !== null) break;
        const place = Math.floor(random() * GATEWAYS);
        await gateways[place]!.kill();
        say(`gateway ${place + 1} is killed at ${handled} of ${rows} rows`);
        gateways[place] = await start();
      }
      await until(async () => (await show(id)).finished_at !== null, {
        pauseMs: Math.min(200, 20 + rows / 5000),
        deadlineMs: END_MAX_MS,
      });
      return (performance.now() - startedMs) / 1000;
    },
  };
};
