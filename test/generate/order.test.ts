/** The order in which use cases reserve units, draw and store answers, on fakes that record calls. */

import t from 'tap';
import { AppError } from '../../src/errors.ts';
import { createBulk } from '../../src/generate/bulk/bulk.ts';
import type { Caller, Parts } from '../../src/generate/parts.ts';
import { createImage, createSingle, toImage } from '../../src/generate/single.ts';
import { BUSY, type LogoOutcome, refuse } from '../../src/logo/outcome.ts';
import type { Balance, Reserve, Reserved, Settle, Take } from '../../src/quota/quota.ts';
import { failDrawing, type RenderOutcome, toOutcome } from '../../src/render/outcome.ts';
import { createResultCache } from '../../src/render/result-cache.ts';
import { ok } from '../../src/result.ts';
import { silent } from '../support/silent-log.ts';

const BALANCE: Balance = {
  period: '2026-11-01',
  resetsAtMs: Date.UTC(2026, 11, 1),
  monthlyQuota: 10,
  monthlyUsed: 1,
  credits: 0,
  usageCount: 1,
  remaining: 9,
};

const CLAIM = { route: 'single', key: 'order-1', bodyHash: 'a'.repeat(64) } as const;
const CALLER: Caller = { accountId: 'account', keyId: 'key', keyQuota: null, makers: [] };
const CLAIMING: Caller = { ...CALLER, claim: CLAIM };
const LOGO_URL = 'https://example.com/logo.png';
const logoOf = (sha256: string): LogoOutcome =>
  ok({ logo: { png: Buffer.from(sha256), widthPx: 10, heightPx: 10 }, sha256 });

const build = () => {
  const world = {
    hasRoom: true,
    outcome: toOutcome({
      ok: true,
      value: {
        bytes: Buffer.from('PNG'),
        lane: 'plain',
        grade: 4,
        warnings: '',
        renderMs: 1,
      },
    }),
    logo: logoOf('first'),
    reserved: { outcome: 'admitted', fromMonthly: 1, fromCredits: 0, balance: BALANCE } as Reserved,
  };
  const reserves: Reserve[] = [];
  const takes: Take[] = [];
  const settles: Settle[] = [];
  const logosDrawn: (string | null)[] = [];
  const quota = {
    async reserve(request: Reserve) {
      reserves.push(request);
      return world.reserved;
    },
    async take(request: Take) {
      takes.push(request);
      return world.reserved;
    },
    async settle(request: Settle) {
      settles.push(request);
      return { outcome: 'settled', balance: BALANCE };
    },
    settleLater: (request: Settle) => void settles.push(request),
    read: async () => BALANCE,
  };
  const pool = {
    hasRoom: () => world.hasRoom,
    retryAfterS: () => 1,
    render: async ({ tasks }: { tasks: readonly unknown[] }) => ({
      outcomes: tasks.map(() => world.outcome),
      queueMs: 0,
      renderMs: 0,
    }),
  };
  const cache = {
    find: () => null,
    through: (_: unknown, logoHash: string | null, draw: () => Promise<RenderOutcome>) => {
      logosDrawn.push(logoHash);
      return draw();
    },
  };
  const parts = {
    quota,
    pool,
    cache,
    logos: { resolve: async () => world.logo },
    fitLogo: async (found: { logo: unknown }) => found.logo,
    freeWork: { admit: () => {}, spend: () => {}, isSpent: () => false },
    log: silent,
    deadlineMs: 30_000,
  } as unknown as Parts;
  return { world, parts, reserves, takes, settles, logosDrawn };
};

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : String(error));

t.test('a full queue refuses a call before any unit is reserved', async (t) => {
  const { world, parts, reserves, settles } = build();
  world.hasRoom = false;
  const store = { findCall: async () => null };
  const links = {};
  const bulk = createBulk({ ...parts, store, links, refund: 'failed' } as unknown as Parameters<
    typeof createBulk
  >[0]);
  const query = { content: 'x', width: 300, dark: '#000000', light: '#ffffff' };
  const calls = [
    createSingle(parts)({ data: 'x' }, CALLER),
    createImage(parts)(toImage(query), CALLER),
    bulk({ items: [{ data: 'x' }] }, CALLER),
  ];
  for (const call of calls) {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    t.equal(codeOf(error), 'overloaded');
  }
  t.strictSame([reserves, settles], [[], []]);
});

const bytesOf = (answer: object): unknown => ('bytes' in answer ? answer.bytes : Object(answer).png);

t.test('a cached picture is paid exactly once, with a single request to the ledger', async (t) => {
  const { world, parts, reserves, takes, settles } = build();
  const withCache = { ...parts, cache: createResultCache({ maxBytes: 1e6 }) };
  const routes = [
    ['single', () => createSingle(withCache)({ data: 'one' }, CALLER)],
    ['image', () => createImage(withCache)(toImage({ content: 'two' }), CALLER)],
  ] as const;
  for (const [kind, call] of routes) {
    const drawn = await call();
    t.match(
      [reserves, takes, settles],
      [[{ units: 1, use: { keyId: 'key', kind } }], [], [{ refundUnits: 0 }]],
    );
    reserves.length = settles.length = 0;

    world.hasRoom = false;
    const kept = await call();
    t.equal(bytesOf(kept), bytesOf(drawn), 'a full queue does not refuse a cached picture');
    t.strictSame([kept.usageCount, kept.month], [drawn.usageCount, drawn.month]);
    t.strictSame(
      [reserves, takes, settles],
      [
        [],
        [
          {
            accountId: 'account',
            use: { keyId: 'key', kind, isLoadTest: false },
            keyQuota: null,
            makers: [],
          },
        ],
        [],
      ],
    );
    takes.length = 0;
    world.hasRoom = true;
  }
});

t.test('an account without units gets no picture, even when it is cached', async (t) => {
  const { world, parts, settles } = build();
  const withCache = { ...parts, cache: createResultCache({ maxBytes: 1e6 }) };
  const calls = [
    () => createSingle(withCache)({ data: 'one' }, CALLER),
    () => createImage(withCache)(toImage({ content: 'two' }), CALLER),
  ];
  for (const call of calls) await call();
  settles.length = 0;
  world.reserved = { outcome: 'exhausted', balance: BALANCE };
  for (const call of calls) {
    const error = await call().catch((thrown: unknown) => thrown);
    t.match(error, { code: 'quota_exhausted', month: BALANCE });
  }
  t.strictSame(settles, []);
});

t.test('calls with an Idempotency-Key or a logo bypass the cached-picture path', async (t) => {
  const { parts, reserves, takes } = build();
  const single = createSingle({ ...parts, cache: createResultCache({ maxBytes: 1e6 }) });
  for (const _ of ['drawn', 'kept']) {
    await single({ data: 'one' }, CLAIMING);
    await single({ data: 'one', image: LOGO_URL }, CALLER);
  }
  t.equal(reserves.length, 4);
  t.strictSame(takes, []);
});

t.test('of failures after reserving units, only a 400 is stored under its Idempotency-Key', async (t) => {
  const cases: readonly (readonly [string, Partial<ReturnType<typeof build>['world']>, string, boolean])[] = [
    ['a logo that cannot be read', { logo: refuse('decode', 'is no picture') }, 'invalid_body', true],
    ['too many logos at once', { logo: BUSY }, 'overloaded', false],
    ['a picture that missed its deadline', { outcome: failDrawing('deadline') }, 'overloaded', false],
    ['a renderer that failed', { outcome: failDrawing('crashed') }, 'internal', false],
    ['a picture that hung', { outcome: failDrawing('hung') }, 'overloaded', false],
  ];
  for (const [name, state, code, isKept] of cases) {
    const { world, parts, settles } = build();
    Object.assign(world, state);
    const error = await createSingle(parts)({ data: 'x', image: LOGO_URL }, CLAIMING).catch(
      (thrown: unknown) => thrown,
    );
    t.equal(codeOf(error), code, name);
    t.match(settles, [{ refundUnits: 1 }], `${name} costs nothing`);
    t.equal(settles[0]!.answer !== undefined, isKept, `${name} is ${isKept ? '' : 'not '}stored`);
  }
});

t.test('a replay has the logo of the first call, even if the logo at its URL has changed', async (t) => {
  const { world, parts, settles, logosDrawn } = build();
  const single = createSingle(parts);
  await single({ data: 'x', image: LOGO_URL }, CLAIMING);
  const { answer } = settles[0]!;
  world.reserved = { outcome: 'replay', answer: answer! };
  world.logo = logoOf('second');
  const replayed = await single({ data: 'x', image: LOGO_URL }, CLAIMING);
  t.equal(replayed.replayed, true);
  t.strictSame(logosDrawn, ['first', 'first']);
});
