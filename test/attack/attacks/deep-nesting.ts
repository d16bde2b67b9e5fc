import type { Attack } from '../attack.ts';

const BODIES: readonly string[] = [
  '['.repeat(500_000),
  '['.repeat(100_000) + ']'.repeat(100_000),
  `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `{"data":"x","dotsOptions":${'{"gradient":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  `{"items":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
];

export const deepNesting: Attack = {
  name: 'deep-nesting',
  holds: 'no depth of JSON overflows a stack',
  async run({ ask, expect, credentials }) {
    const { key } = await credentials();
    for (const path of ['/dashboard/session', '/api/v1/qr', '/api/v1/qr/bulk', '/api/v1/folders']) {
      for (const body of BODIES) {
        const { status } = await ask({ method: 'POST', path, key, body });
        expect(status === null || (status >= 400 && status < 500), `POST ${path}: ${status}`);
      }
    }
  },
};
