/** Load for the drills: callers that send single and bulk calls, and record when each was answered. */

import { say } from '../../bench/say.ts';
import { number, whole } from '../support/command.ts';

/** The options of the load. @param text The meaning of `--seconds`, for the help. */
export const loadOptions = (text: string) =>
  ({
    seconds: number(text, 10),
    callers: whole('concurrent calls', 8),
  }) as const;

/** Returns the requested load. */
export const loadOf = ({ seconds, callers }: { readonly seconds: string; readonly callers: string }) => ({
  callers: Number(callers),
  loadMs: 1000 * Number(seconds),
});

/** Prints the faults and sets the exit code to 1, or prints `good` when there are none. */
export const conclude = (faults: readonly string[], good: string): void => {
  for (const fault of faults) say(`BROKEN: ${fault}`);
  if (faults.length === 0) say(good);
  process.exitCode = faults.length === 0 ? 0 : 1;
};

/** A call that was answered. */
export interface Answered {
  readonly atMs: number;
  readonly units: number;
  readonly slugs: readonly string[];
}

export interface Load {
  readonly answered: readonly Answered[];
  /** Calls that were not answered with 200. */
  readonly failures: readonly string[];
  /** Units that calls have requested so far, answered or not. */
  asked(): number;
  /** Stops the load and waits for the open calls. */
  stop(): Promise<void>;
}

const BULK_ITEMS = 3;

const single = (i: number) => ({ path: '/api/v1/qr', units: 1, body: { data: `single ${i}` } });

const bulk = (i: number) => ({
  path: '/api/v1/qr/bulk',
  units: BULK_ITEMS,
  body: {
    folderName: 'Drill',
    items: Array.from({ length: BULK_ITEMS }, (_, n) => ({
      data: `https://example.com/${i}/${n}`,
      dynamic: true,
    })),
  },
});

/** Starts to send calls to each gateway; each caller sends one call after the other. */
export const startLoad = (urls: readonly string[], key: string, callers: number): Load => {
  const answered: Answered[] = [];
  const failures: string[] = [];
  let asked = 0;
  let isEnding = false;

  const send = async (url: string, i: number): Promise<void> => {
    const { path, units, body } = i % 2 === 0 ? single(i) : bulk(i);
    asked += units;
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status !== 200) return void failures.push(`${answer.status} ${text.slice(0, 200)}`);
    const { results = [] } = JSON.parse(text) as { results?: { slug?: string }[] };
    answered.push({ atMs: Date.now(), units, slugs: results.flatMap(({ slug }) => slug ?? []) });
  };

  const call = async (caller: number): Promise<void> => {
    for (let i = caller; !isEnding; i += callers) {
      await send(urls[i % urls.length]!, i).catch((error: Error) => failures.push(error.message));
    }
  };
  const calls = Array.from({ length: callers }, (_, caller) => call(caller));

  return {
    answered,
    failures,
    asked: () => asked,
    async stop() {
      isEnding = true;
      await Promise.all(calls);
    },
  };
};

/** Returns the units of calls that were answered before a moment. */
export const unitsBefore = (answered: readonly Answered[], ms: number): number =>
  answered.reduce((sum, { atMs, units }) => (atMs < ms ? sum + units : sum), 0);
