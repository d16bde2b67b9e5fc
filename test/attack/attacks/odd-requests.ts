import fc from 'fast-check';
import { oddRequests as arbitrary } from '../../hostile/odd-requests.ts';
import { operationsOf } from '../../hostile/operations.ts';
import type { Attack } from '../attack.ts';

const PARALLEL = 8;

/** Sends every call of the OpenAPI document with malformed values, bodies, headers and framing. */
export const oddRequests: Attack = {
  name: 'odd-requests',
  holds: 'no request makes the gateway fail or leaves it without an answer',
  async run({ ask, bytes, expect, credentials, seed, count }) {
    const document = await ask({ path: '/openapi.json' });
    const operations = operationsOf(document.json);
    const known = await credentials();
    const numRuns = Math.ceil(count / operations.length);
    for (const requests of fc.sample(arbitrary(operations, known), { seed, numRuns })) {
      const queue = [...requests];
      const send = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          const { hangs } = await bytes(next.bytes, next.isWhole);
          expect(!hangs, `${next.operation}: no answer, and the connection stays open`);
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, send));
    }
  },
};
