import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../servers/account.ts';
import { type Answer, createCaller } from '../../servers/caller.ts';
import type { Scope } from '../../servers/scope.ts';
import { ADMIN_TOKEN } from '../../servers/testbed.ts';

/** What other accounts do meanwhile. */
export const PROBES = ['single', 'redirect', 'saved', 'healthz'] as const;

/** The times that calls took, and how many were refused. */
export type Times = Readonly<Record<(typeof PROBES)[number], { readonly ms: number[]; refused: number }>>;

const EVERY_MS = 40;
const SMALL = { width: 200, height: 200 };

/** Returns no times. */
export const noTimes = (): Times => {
  const none = () => ({ ms: [], refused: 0 });
  return { single: none(), redirect: none(), saved: none(), healthz: none() };
};

/** Makes two accounts, and returns a function that measures their calls for a time. */
export const createProbes = async (scope: Scope, url: string) => {
  const callerOf = async (name: string) => {
    const caller = createCaller({ url, key: (await createAccount(url, ADMIN_TOKEN, name)).key });
    scope.teardown(() => caller.end());
    return caller;
  };
  // Each account may send 50 requests a second.
  const [drawing, saving] = [await callerOf('drawing'), await callerOf('saving')];
  const visitor = createCaller({ url, key: null });
  scope.teardown(() => visitor.end());
  const made = await saving.ask<{ readonly short_url: string }>('POST', '/api/v1/codes', {
    body: { data: 'https://example.com/', dynamic: true, ...SMALL },
  });
  const shortPath = new URL(made.body.short_url).pathname;
  let calls = 0;
  const drawn = () => {
    calls += 1;
    return { body: { data: `https://example.com/${calls}`, ...SMALL } };
  };
  const calling: Readonly<Record<keyof Times, () => Promise<Answer>>> = {
    single: () => drawing.send('POST', '/api/v1/qr', drawn()),
    redirect: () => visitor.send('GET', shortPath),
    saved: () => saving.send('POST', '/api/v1/codes', drawn()),
    healthz: () => visitor.send('GET', '/healthz'),
  };

  /** Adds the times of calls that begin at a steady rate, whether or not earlier ones are answered. */
  return async (times: Times, seconds: number): Promise<void> => {
    const startMs = performance.now();
    const all = PROBES.flatMap((name, at) =>
      Array.from({ length: Math.round((seconds * 1000) / EVERY_MS) }, async (_, n) => {
        const dueMs = startMs + EVERY_MS * (n + at / PROBES.length);
        await sleep(dueMs - performance.now());
        // Timers may fire a millisecond early.
        const fromMs = Math.min(dueMs, performance.now());
        const { status } = await calling[name]();
        times[name].ms.push(performance.now() - fromMs);
        if (status >= 400) times[name].refused += 1;
      }),
    );
    await Promise.all(all);
  };
};
