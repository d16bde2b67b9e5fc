import { AppError } from '../../../errors.ts';
import { changeKey, checkWantedKey, createKey, refuseWiderBounds, rotateKey } from '../../auth/new-key.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { IdParams } from '../../schemas/atoms.ts';
import {
  CreatedKeyBody,
  KeyBody,
  KeyChange,
  KeyRotation,
  NewKey,
  RevokeQuery,
  toCreatedKeyBody,
  toKeyBody,
  toKeyPatch,
  toRotation,
  toWantedKey,
} from '../../schemas/key.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** Adds the routes that list, make, change and revoke the account's own keys. */
export const keysRoutes = ofAccount(
  { tag: 'Account', name: 'keys' },
  (route, { accounts }: Need<'accounts'>) => {
    route('GET /keys', {
      operationId: 'listKeys',
      summary: 'Your active keys, newest first',
      description:
        'With what each key has used this month. Expired keys are listed until they are revoked; the keys themselves are never shown again.',
      ...pagesOf(KeyBody, toKeyBody, ({ accountId }, page) => accounts.pageKeys(accountId, page)),
    });

    route('POST /keys', {
      operationId: 'createKey',
      summary: 'Make a key, which is shown only once',
      description:
        'The new key cannot do more than the key that makes it, and what it uses counts for the limits of both.',
      body: NewKey,
      answer: CreatedKeyBody,
      status: 201,
      fails: [404, 409],
      handle: async ({ body }, maker) =>
        toCreatedKeyBody(await createKey(accounts, maker, checkWantedKey(maker, toWantedKey(body)))),
    });

    route('PATCH /keys/:id', {
      operationId: 'updateKey',
      summary: 'Change the name or limits of a key; applied within a second',
      description: 'A limit cannot exceed that of the key that makes the call.',
      params: IdParams,
      body: KeyChange,
      answer: KeyBody,
      change: async ({ params, body }, asker) => {
        const patch = toKeyPatch(body);
        refuseWiderBounds(asker, patch);
        return async (changed) =>
          toKeyBody(await changeKey(accounts.within(changed), params.id, asker.accountId, patch));
      },
    });

    route('POST /keys/:id/rotate', {
      operationId: 'rotateKey',
      summary: 'Replace a key by a new one, which is shown only once',
      description:
        'It has the name, scopes, limits and signing secrets of the old one, and cannot do more than the key that makes the call.',
      params: IdParams,
      body: KeyRotation,
      answer: CreatedKeyBody,
      status: 201,
      fails: [409],
      handle: async ({ params: { id }, body }, asker) =>
        toCreatedKeyBody(await rotateKey(accounts, asker, { id, ...toRotation(body) })),
    });

    route('DELETE /keys/:id', {
      operationId: 'revokeKey',
      evenOverdrawn: 'a leaked key must be revocable at any time',
      summary: 'Revoke a key, even the one that makes the call; every gateway refuses it within a second',
      description:
        'A revoked key cannot be used again. Sessions that were started with it and signing secrets that it made end. The keys that it made are kept, unless `with_made=true` revokes them too.',
      params: IdParams,
      querystring: RevokeQuery,
      change:
        async ({ params, query }, { accountId }) =>
        async (changed) => {
          const revocation = { id: params.id, accountId, withMade: query.with_made === true };
          const isRevoked = await accounts.within(changed).revokeKey(revocation);
          if (!isRevoked) throw new AppError('not_found', 'There is no such key, or it is already revoked.');
        },
    });
  },
);
