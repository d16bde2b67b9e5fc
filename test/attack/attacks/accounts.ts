/** Attacks on the data of other accounts, and attempts to get more than was paid for. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createApiKey } from '../../../src/accounts/api-key.ts';
import type { Attack, Field } from '../attack.ts';
import type { Ask } from '../client.ts';

const UNITS = 20;
const CALLS = 60;

export const quotaRace: Attack = {
  name: 'quota-race',
  holds: `${CALLS} parallel calls of an account with ${UNITS} units get at most ${UNITS} pictures and pay for each`,
  needsAccount: true,
  async run({ ask, expect, account }) {
    const { key } = await account({ monthlyQuota: UNITS });
    const single = (i: number) =>
      ask({ method: 'POST', path: '/api/v1/qr', key, body: { data: `race ${i}` } });
    const image = (i: number) => ask({ path: `/api/v1/render?key=${key}&content=race${i}` });
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, i) => (i % 2 ? single(i) : image(i))),
    );
    const made = answers.filter(({ status }) => status === 200).length;
    expect(made > 0 && made <= UNITS, `${made} pictures for ${UNITS} units`);
    expect(
      answers.every(({ status }) => status === 200 || status === 429 || status === 503),
      'a call got a status other than 200, 429 and 503',
    );

    const usage = await ask({ path: '/api/v1/usage', key });
    expect(
      usage.status !== 200 || usage.json.usage_count === made,
      `${made} made, ${usage.json?.usage_count} paid`,
    );
    const items = Array.from({ length: UNITS - made + 1 }, () => ({ data: 'x' }));
    const batches = [1, 2, 3].map(() =>
      ask({ method: 'POST', path: '/api/v1/qr/bulk', key, body: { items } }),
    );
    for (const { status } of await Promise.all(batches)) {
      expect(status === 429 || status === 503, `a batch larger than the remaining quota: ${status}`);
    }
  },
};

/** Returns every call that takes an id or a slug in its path. */
const callsWith = (id: string, slug: string): readonly Ask[] => [
  { path: `/api/v1/folders/${id}` },
  { method: 'PATCH', path: `/api/v1/folders/${id}`, body: { name: 'mine now' } },
  { method: 'DELETE', path: `/api/v1/folders/${id}` },
  { method: 'POST', path: `/api/v1/folders/${id}/restore` },
  { path: `/api/v1/folders/${id}/archive` },
  { path: `/api/v1/folders/${id}/codes` },
  { path: `/api/v1/codes?folder_id=${id}` },
  { path: `/api/v1/codes/${id}` },
  { path: `/api/v1/codes/${id}/image` },
  { method: 'DELETE', path: `/api/v1/codes/${id}` },
  { method: 'POST', path: `/api/v1/codes/${id}/restore` },
  { method: 'DELETE', path: `/api/v1/keys/${id}` },
  { path: `/api/v1/webhooks/${id}` },
  { path: `/api/v1/webhooks/${id}/deliveries` },
  { method: 'PATCH', path: `/api/v1/webhooks/${id}`, body: { state: 'off' } },
  { method: 'DELETE', path: `/api/v1/webhooks/${id}` },
  { method: 'POST', path: `/api/v1/webhooks/${id}/test` },
  {
    ...{ method: 'POST', path: `/api/v1/webhooks/${id}/redeliveries` },
    body: { since: '2026-01-01T00:00:00Z' },
  },
  { path: `/api/v1/links/${slug}` },
  { method: 'PATCH', path: `/api/v1/links/${slug}`, body: { destination: 'https://example.com/mine-now' } },
  { path: `/api/v1/links/${slug}/history` },
  { path: `/api/v1/links/${slug}/scans` },
  { method: 'POST', path: '/api/v1/qr/bulk', body: { items: [{ data: 'x' }], folderId: id } },
];

export const otherAccounts: Attack = {
  name: 'other-accounts',
  holds: 'ids and slugs of another account get the same answer as unknown ones, byte for byte',
  needsAccount: true,
  async run({ ask, expect, account }) {
    const owner = await account();
    const items = [{ data: 'https://example.com/', dynamic: true }];
    const made = await ask({ method: 'POST', path: '/api/v1/qr/bulk', key: owner.key, body: { items } });
    const folderId: string = made.json.meta.folder_id;
    const slug: string = made.json.results[0]!.slug;
    const codes = await ask({ path: `/api/v1/folders/${folderId}/codes`, key: owner.key });
    const keys = await ask({ path: '/api/v1/keys', key: owner.key });
    const hook = { url: 'https://example.com/hook', events: [] };
    const webhook = await ask({ method: 'POST', path: '/api/v1/webhooks', key: owner.key, body: hook });

    const ids = [folderId, codes.json.data[0]!.id, keys.json.data[0]!.id, webhook.json.id];
    for (const id of ids) {
      const { key } = await account();
      const unknown = callsWith(randomUUID(), 'zzzzZZZ9');
      for (const [i, call] of callsWith(id, slug).entries()) {
        const [theirs, nobodys] = await Promise.all([ask({ ...call, key }), ask({ ...unknown[i]!, key })]);
        const what = `${call.method ?? 'GET'} ${call.path}`;
        expect(
          theirs.status === nobodys.status,
          `${what}: ${theirs.status}, with an unknown id ${nobodys.status}`,
        );
        expect(theirs.text === nobodys.text, `${what}: ${theirs.text}, with an unknown id ${nobodys.text}`);
      }
    }
    const still = await ask({ path: `/api/v1/links/${slug}`, key: owner.key });
    expect(
      still.json.destination === 'https://example.com/',
      `the owner's link leads to ${still.json.destination}`,
    );
  },
};

const GUESSES = 300;
const PARALLEL = 10;
/** How many guesses may be answered with 401 before the first 429. */
const MAX_HEARD = 200;

/** Sends wrong keys. Each must get a 401 or, beyond the limit, a 429. */
const guess = async ({ ask, expect }: Field, attempt: () => Ask): Promise<void> => {
  let heard = 0;
  let slowed = 0;
  for (let made = 0; made < GUESSES; made += PARALLEL) {
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => ask(attempt())));
    for (const { status, headers } of answers) {
      if (status === 401) heard += 1;
      if (status === 429) slowed += 1;
      expect(status === 401 || status === 429, `a guess got ${status}`);
      expect(status !== 429 || headers['retry-after'] !== undefined, 'a 429 has no Retry-After');
    }
  }
  expect(
    slowed > 0 && heard <= MAX_HEARD,
    `of ${GUESSES} guesses in a row ${heard} are answered with 401, ${slowed} with 429`,
  );
};

export const keyGuessing: Attack = {
  name: 'key-guessing',
  holds: 'guessing keys is rate-limited, and valid keys keep working',
  run: (field) => guess(field, () => ({ path: '/api/v1/usage', key: createApiKey() })),
};

export const adminGuessing: Attack = {
  name: 'admin-guessing',
  holds: 'guessing the admin token is rate-limited',
  run: (field) =>
    guess(field, () => ({ path: '/admin/v1/accounts', key: randomBytes(24).toString('base64url') })),
};

export const signInGuessing: Attack = {
  name: 'sign-in-guessing',
  holds: 'sign-in attempts are rate-limited',
  run: (field) =>
    guess(field, () => ({
      method: 'POST',
      path: '/dashboard/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { key: createApiKey() },
    })),
};
