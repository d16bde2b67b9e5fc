/** JSON that is expensive to parse for its size. */
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
  holds: 'deeply nested JSON never overflows the stack',
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

const ones = (bytes: number): string => `[${'1,'.repeat(bytes / 2 - 2)}1]`;
const MEGABYTE = 1024 * 1024;

const isRefused = (status: number | null): boolean => status === null || (status >= 400 && status < 500);

/** Sends JSON with many tokens in few bytes. */
export const tokenBombs: Attack = {
  name: 'token-bombs',
  holds: 'JSON with half a million tokens is refused and delays no other caller',
  async run({ ask, expect }) {
    const bombs = [ones(MEGABYTE), '{"a":1},'.repeat(MEGABYTE / 8), `{"key":${ones(MEGABYTE - 20)}}`];
    for (const path of ['/dashboard/session', '/admin/v1/accounts', '/api/v1/qr', '/api/v1/folders']) {
      for (const body of bombs) {
        const answers = await Promise.all([1, 2].map(() => ask({ method: 'POST', path, body })));
        for (const { status } of answers) expect(isRefused(status), `POST ${path}: ${status}`);
      }
    }
  },
};

/** Sends the same with a key, up to the largest body that is allowed with a key. */
export const tokenBombsOfAccount: Attack = {
  name: 'token-bombs-of-an-account',
  holds: 'JSON with millions of tokens, sent with a key, is refused and delays no other account',
  needsAccount: true,
  async run({ ask, expect, account }) {
    const { key } = await account();
    const bombs = [ones(8 * MEGABYTE - 8), `{"data":"x","items":${ones(7 * MEGABYTE)}}`];
    for (const path of ['/api/v1/qr', '/api/v1/qr/bulk']) {
      for (const body of bombs) {
        const { status } = await ask({ method: 'POST', path, key, body });
        expect(isRefused(status) || status === 503, `POST ${path}: ${status}`);
      }
    }
  },
};
