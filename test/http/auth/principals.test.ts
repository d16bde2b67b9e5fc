/** The cache of principals, with keys and change notifications that the test provides. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Change } from '../../../src/db/changes.ts';
import type { Principal } from '../../../src/db/tables/accounts/keys.ts';
import type { SessionPrincipal } from '../../../src/db/tables/accounts/sessions.ts';
import { createPrincipals } from '../../../src/http/auth/principals.ts';
import { createLookUp } from '../../../src/http/limits/guesses.ts';
import { stopClock } from '../../support/clock.ts';
import { silent } from '../../support/silent-log.ts';

type Found = Principal & Partial<SessionPrincipal>;

const principalOf = (name: string): Found => ({
  sessionId: `session of ${name}`,
  keyId: `key of ${name}`,
  accountId: `account of ${name}`,
  accountName: name,
  plan: 'pro',
  scopes: ['manage'],
  rateLimitPerSecond: null,
  keyExpiresAt: null,
  keyQuota: null,
  makers: [],
  isSandbox: false,
  loadTests: false,
});

t.test('a change notification invalidates the keys that it names, and no others', async (t) => {
  const hashes = new Map(['ann', 'bob'].map((name) => [name, createHash('sha256').update(name).digest()]));
  const names = new Map([...hashes].map(([name, hash]) => [hash.toString('hex'), name]));
  let lookedUp: string[] = [];
  let announce = (_: Change): void => {
    t.fail('nobody has subscribed');
  };
  const principals = createPrincipals<Found>(
    {
      load: async (hash) => {
        const name = names.get(hash.toString('hex'))!;
        lookedUp.push(name);
        return principalOf(name);
      },
      changes: {
        live: true,
        subscribe: (listener) => {
          announce = listener;
          return () => {};
        },
      },
      lookUp: createLookUp('Keys'),
    },
    silent,
  );
  const askedFor = async (): Promise<string[]> => {
    lookedUp = [];
    for (const hash of hashes.values()) await principals.find(hash.toString('base64'), '192.0.2.1');
    return lookedUp;
  };
  t.strictSame(await askedFor(), ['ann', 'bob']);
  t.strictSame(await askedFor(), []);
  for (const [change, expected] of [
    [{ kind: 'key', id: 'key of ann' }, ['ann']],
    [{ kind: 'account', id: 'account of bob' }, ['bob']],
    [{ kind: 'link', id: 'key of ann' }, []],
    [{ kind: 'session', id: 'session of ann' }, ['ann']],
    [{ kind: 'session', id: 'another session' }, []],
    [{ kind: 'everything' }, ['ann', 'bob']],
  ] as const) {
    announce(change);
    t.strictSame(await askedFor(), expected, JSON.stringify(change));
  }
});

t.test('a cached key is looked up again', async (t) => {
  const start = (t: Test, live = true) => {
    const clock = stopClock(t);
    let lookups = 0;
    let isAway = false;
    const principals = createPrincipals<Found>(
      {
        load: async (hash) => {
          lookups += 1;
          if (isAway) throw new Error('away');
          return hash.equals(KNOWN) ? principalOf('ann') : null;
        },
        changes: { live, subscribe: () => () => {} },
        lookUp: createLookUp('Keys'),
      },
      silent,
    );
    const find = (hash = KNOWN) => principals.find(hash.toString('base64'), '192.0.2.1');
    const asks = async (hash = KNOWN): Promise<boolean> => {
      const before = lookups;
      await find(hash).catch(() => {});
      return lookups > before;
    };
    const goAway = () => {
      isAway = true;
    };
    return { clock, find, asks, goAway };
  };
  const KNOWN = createHash('sha256').update('ann').digest();
  const UNKNOWN = createHash('sha256').update('nobody').digest();

  t.test('after a minute, and an unknown key within a second', async (t) => {
    const { clock, asks } = start(t);
    t.strictSame([await asks(), await asks(UNKNOWN)], [true, true]);
    clock.pass(899);
    t.strictSame([await asks(), await asks(UNKNOWN)], [false, false]);
    clock.pass(1);
    t.strictSame([await asks(), await asks(UNKNOWN)], [false, true]);
    clock.pass(59_099);
    t.notOk(await asks());
    clock.pass(1);
    t.ok(await asks());
  });

  t.test('within a second while change notifications may be lost', async (t) => {
    const { clock, asks } = start(t, false);
    await asks();
    clock.pass(899);
    t.notOk(await asks());
    clock.pass(1);
    t.ok(await asks());
  });

  t.test('twice a second while the database is unavailable, and is served for ten minutes', async (t) => {
    const { clock, find, asks, goAway } = start(t);
    await find();
    goAway();
    clock.pass(60_000);
    t.ok(await asks());
    clock.pass(499);
    t.notOk(await asks());
    clock.pass(1);
    t.ok(await asks());
    clock.pass(539_499);
    t.equal((await find())?.keyId, 'key of ann');
    clock.pass(1);
    await t.rejects(find(), { code: 'unavailable', retryAfterS: 1 });
  });
});
