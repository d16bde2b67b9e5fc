import { randomUUID } from 'node:crypto';
import type { Attack } from '../attack.ts';
import type { Ask } from '../client.ts';

/** Returns every call that takes an id or a slug. */
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
  { path: `/api/v1/links/${slug}` },
  { method: 'PATCH', path: `/api/v1/links/${slug}`, body: { destination: 'https://example.com/mine-now' } },
  { path: `/api/v1/links/${slug}/history` },
  { path: `/api/v1/links/${slug}/scans` },
  { method: 'POST', path: '/api/v1/qr/bulk', body: { items: [{ data: 'x' }], folderId: id } },
];

export const otherAccounts: Attack = {
  name: 'other-accounts',
  holds: "another account's ids and slugs get the same bytes as unknown ones",
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
