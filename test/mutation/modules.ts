/** The modules that keep the main promises: their sources, and the tests that should notice a change, fastest first. */
export interface Module {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const LUA = ['due', 'evict', 'forget', 'give', 'hold', 'ledger', 'limit', 'look', 'read', 'run', 'seed'];
const LEDGER_ON_REDIS = [
  ...['batcher', 'calls', 'opened', 'reservations', 'takes'].map((name) => `calls/${name}`),
  ...['drain', 'entries', 'sums'].map((name) => `drain/${name}`),
  ...['claims', 'holds', 'reap', 'redis-quota', 'replies', 'room', 'seed', 'sweep'],
];

export const MODULES: Readonly<Record<string, Module>> = {
  quota: {
    sources: [
      ...['check', 'reconcile', 'settler', 'sql-quota'].map((name) => `src/quota/${name}.ts`),
      ...LEDGER_ON_REDIS.map((name) => `src/quota/redis/${name}.ts`),
      ...LUA.map((name) => `src/quota/redis/lua/${name}.lua`),
    ],
    tests: ['parts', 'records', 'sql-quota', 'contract', 'redis-recovery', 'redis-faults'].map(
      (name) => `test/quota/${name}.test.ts`,
    ),
  },
  auth: {
    sources: [
      ...['auth', 'new-key', 'of-account', 'owned', 'principals', 'same-origin', 'session-auth'],
      ...['session-cookie', 'stranger', 'admin-auth'],
    ].map((name) => `src/http/auth/${name}.ts`),
    tests: [
      ...['auth/auth', 'auth/principals', 'auth/session-auth', 'limits/account-limits'],
      ...['routes/account/account-api', 'auth/sessions'],
    ].map((name) => `test/http/${name}.test.ts`),
  },
  limits: {
    sources: [
      ...['free-work', 'places', 'token-bucket'].map((name) => `src/limits/${name}.ts`),
      ...['guesses', 'key-guesses', 'rate-limit', 'rate-store', 'search-line', 'shared-rates'].map(
        (name) => `src/http/limits/${name}.ts`,
      ),
    ],
    tests: [
      'test/limits/buckets.test.ts',
      'test/limits/free-work.test.ts',
      'test/limits/rate-store.test.ts',
      'test/limits/shared-rates.test.ts',
      'test/http/auth/auth.test.ts',
      'test/http/limits/rate-limit.test.ts',
      'test/http/limits/search-line.test.ts',
      'test/http/limits/account-limits.test.ts',
      'test/faults/limits.test.ts',
    ],
  },
  cache: {
    sources: ['src/render/result-cache.ts', 'src/http/files/etag.ts'],
    tests: ['render/result-cache', 'http/files/etag', 'http/routes/account/account-api'].map(
      (name) => `test/${name}.test.ts`,
    ),
  },
  symbol: {
    sources: [
      ...['bit-rows', 'blocks', 'capacity', 'codewords', 'fit', 'format', 'masks', 'penalty', 'reed-solomon'],
      ...[
        'self-test',
        'symbol',
        'template',
        'segments/bit-stream',
        'segments/characters',
        'segments/encoding',
      ],
      ...['segments/kanji', 'segments/optimal'],
    ].map((name) => `workers/symbol/${name}.ts`),
    tests: ['symbol/fit', 'symbol/symbol-parts', 'symbol/segments', 'plan', 'symbol/symbol', 'corpus'].map(
      (name) => `test/workers/${name}.test.ts`,
    ),
  },
  png: {
    sources: ['colors', 'file', 'filters', 'indices', 'png', 'true-color'].map(
      (name) => `workers/raster/png/${name}.ts`,
    ),
    tests: ['raster/png-parts', 'raster/png', 'raster/lanes', 'corpus'].map(
      (name) => `test/workers/${name}.test.ts`,
    ),
  },
  deflate: {
    sources: [
      'adler',
      'bits',
      'block',
      'deflate-glyphs',
      'deflate-modules',
      'deflate-pixels',
      'glyph-code',
      'glyph-rows',
      'glyph-sample',
      'huffman',
      'module-rows',
      'row-code',
      'symbols',
      'tokens',
    ].map((name) => `workers/raster/deflate/${name}.ts`),
    tests: ['deflate-modules', 'deflate', 'glyphs', 'png', 'lanes'].map(
      (name) => `test/workers/raster/${name}.test.ts`,
    ),
  },
  quality: {
    sources: [
      ...['grade', 'grades', 'style', 'warnings'],
      ...['light/field', 'light/light', 'light/tones', 'finders/finders', 'finders/shape', 'finders/view'],
      ...['logo/anchors', 'logo/cover', 'logo/logo-light'],
      ...['damage/blocks', 'damage/damage', 'damage/losses', 'damage/suspects'],
    ].map((name) => `workers/quality/${name}.ts`),
    tests: [
      ...['light', 'damage', 'finders', 'logo', 'style'],
      ...['quality-rules', 'quality-parts', 'anchors', 'quality'],
    ].map((name) => `test/workers/quality/${name}.test.ts`),
  },
  redirects: {
    sources: [
      'src/links/redirects.ts',
      ...['entries', 'loads', 'outage', 'outage-cache'].map((name) => `src/outage-cache/${name}.ts`),
    ],
    tests: [
      'test/outage-cache.test.ts',
      'test/links/redirects.test.ts',
      'test/http/routes/dead-links.test.ts',
    ],
  },
  traces: {
    sources: ['src/tracing/context.ts'],
    tests: ['test/tracing/context.test.ts'],
  },
};
