import fc from 'fast-check';
import { oddRequests as arbitrary } from '../../hostile/odd-requests.ts';
import { operationsOf } from '../../hostile/operations.ts';
import type { Attack } from '../attack.ts';

const PARALLEL = 8;

/** Every call that the gateway's own document describes, with values, bodies, headers and framing that fit badly. */
export const oddRequests: Attack = {
  name: 'odd-requests',
  holds: 'no request whatever is the fault of the gateway, or left without an end',
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
          expect(!hangs, `${next.operation}: neither answered nor hung up on`);
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, send));
    }
  },
};
