/** The cache of principals, on keys and announcements that the test hands in. */
import { createHash } from 'node:crypto';
import t from 'tap';
import type { Change } from '../../src/db/changes.ts';
import type { Principal } from '../../src/db/tables/keys.ts';
import { createPrincipals } from '../../src/http/auth/principals.ts';
import { silent } from '../support/silent-log.ts';

const principalOf = (name: string): Principal => ({
  keyId: `key of ${name}`,
  accountId: `account of ${name}`,
  accountName: name,
  plan: 'pro',
  scopes: ['manage'],
  rateLimitPerSecond: null,
});

t.test('an announced change is looked up again, and no other key with it', async (t) => {
  const hashes = new Map(['ann', 'bob'].map((name) => [name, createHash('sha256').update(name).digest()]));
  const names = new Map([...hashes].map(([name, hash]) => [hash.toString('hex'), name]));
  let lookedUp: string[] = [];
  let announce = (_: Change): void => {
    t.fail('nobody listens');
  };
  const principals = createPrincipals<Principal>(
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
      guesses: { lookUp: (_, find) => find() },
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
    [{ kind: 'session', id: 'another session' }, []],
    [{ kind: 'everything' }, ['ann', 'bob']],
  ] as const) {
    announce(change);
    t.strictSame(await askedFor(), expected, JSON.stringify(change));
  }
});
