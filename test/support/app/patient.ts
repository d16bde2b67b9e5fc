import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './app.ts';

const BUSY = [429, 503];
const TRIES_MAX = 100;
const PAUSE_MS = 100;

/** Makes a call, and repeats it while the app is too busy for it, for ten seconds at least. Returns the last answer. */
export const patiently = async (call: () => Promise<Answer>): Promise<Answer> => {
  let answer = await call();
  for (let tries = 1; BUSY.includes(answer.status) && tries < TRIES_MAX; tries += 1) {
    await sleep(PAUSE_MS);
    answer = await call();
  }
  return answer;
};
