/** Authentication by cookie, with sessions that the test provides and a clock that it moves. */
import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { createSessionAuth } from '../../../src/http/auth/session-auth.ts';
import { createLookUp } from '../../../src/http/limits/guesses.ts';
import { silent } from '../../support/silent-log.ts';

const TOKEN = 'a'.repeat(43);

t.test('a cached session expires on time, without a look-up', async (t) => {
  let nowMs = Date.UTC(2026, 10, 22);
  t.intercept(Date, 'now', { value: () => nowMs });
  const expiresAt = new Date(nowMs + 1000);
  let lookups = 0;
  const sessions = createSessionAuth(
    {
      findSession: async () => {
        lookups += 1;
        return {
          sessionId: 'session',
          keyId: 'key',
          accountId: 'account',
          accountName: 'test',
          plan: 'pro',
          scopes: ['manage'],
          rateLimitPerSecond: null,
          keyExpiresAt: null,
          keyQuota: null,
          makers: [],
          isSandbox: false,
          loadTests: false,
          expiresAt,
        };
      },
      changes: { live: true, subscribe: () => () => {} },
      lookUp: createLookUp('Keys'),
      publicUrl: null,
    },
    silent,
  );
  const request = {
    headers: { cookie: `tessera_session=${TOKEN}` },
    ip: '127.0.0.1',
  } as unknown as FastifyRequest;
  t.equal((await sessions.find(request))?.sessionId, 'session');
  nowMs += 999;
  t.equal((await sessions.find(request))?.sessionId, 'session');
  nowMs += 1;
  t.equal(await sessions.find(request), null);
  t.equal(lookups, 1);
});
