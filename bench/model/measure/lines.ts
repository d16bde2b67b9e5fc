/** What a line of the access log costs a gateway. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { logAnswers, openAccessLog } from '../../../src/http/log.ts';

const LINES = 50_000;
const ROUNDS = 5;

/** The fields of an answered call that the access-log hook reads. */
const REQUEST = {
  id: '0190d5a2-7c3b-4f6e-9a51-2f4c8e6b1d73',
  url: '/api/v1/render?key=tsr_0123456789&content=https%3A%2F%2Fexample.com%2F&width=300',
  method: 'GET',
  trace: null,
  failure: null,
  principal: { accountId: '0190d5a2-7c3b-4f6e-9a51-000000000001' },
  signer: null,
  routeOptions: { config: { name: 'render' } },
};

/**
 * Returns the processor time of a line in microseconds, with its share of the writes to a file in `folder`. The
 * cheapest of five rounds counts. Comparing two gateways would not show it: a single one varies by ten times as much.
 */
export const lineUs = (folder: string): number => {
  const file = openSync(join(folder, 'lines.log'), 'w');
  const log = openAccessLog(null, file);
  let hook: onResponseHookHandler | undefined;
  const addHook = (_: string, added: onResponseHookHandler): void => {
    hook = added;
  };
  logAnswers({ addHook } as unknown as FastifyInstance, 'all', log);
  const write = hook as unknown as (request: object, reply: object, done: () => void) => void;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let n = 0; n < LINES; n += 1)
      write(REQUEST, { statusCode: 200, elapsedTime: (n % 100) / 7 }, () => {});
    const { user, system } = process.cpuUsage(before);
    return (user + system) / LINES;
  });
  log.close();
  closeSync(file);
  return Math.min(...rounds);
};
