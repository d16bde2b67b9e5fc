import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AppError, fieldError } from '../../../errors.ts';
import { changeKey, createKey, rotateKey } from '../../auth/new-key.ts';
import {
  AccountBody,
  AccountPatch,
  AccountsQuery,
  AccountWithUsage,
  Grant,
  NewAccount,
  toAccountBody,
} from '../../schemas/account.ts';
import { IdParams, pageSchema, toPageBody, toPageRequest } from '../../schemas/atoms.ts';
import { readForward } from '../../schemas/forward.ts';
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
import { readDeadLinkUrl } from '../../schemas/link.ts';
import { ANYBODY, routesOf } from '../route.ts';
import type { Services } from '../services.ts';

/** The section of the operator's API. */
export const OF_OPERATOR = { ...ANYBODY, fails: [401, 429, 503], writeFails: [403] };

/** Returns the value found for an account. @throws {AppError} 404 for `null`. */
export const requireAccount = <T>(value: T | null): T => {
  if (value === null) throw new AppError('not_found', 'There is no such account.');
  return value;
};

/** Adds the operator's routes that make, list, read and change accounts, and add credits. */
export const adminAccountRoutes =
  ({
    accounts,
    linkRules: { checkPlainUrl },
  }: Pick<Services, 'accounts' | 'linkRules'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const route = routesOf(app, 'admin', OF_OPERATOR);

    route('POST /accounts', {
      operationId: 'createAccount',
      summary: 'Make an account',
      description: 'Without `monthly_quota` it has the quota of its plan.',
      body: NewAccount,
      answer: AccountBody,
      status: 201,
      handle: async ({ body: { monthly_quota: quota, ...wanted } }) =>
        toAccountBody(
          await accounts.create({ ...wanted, ...(quota === undefined ? {} : { monthlyQuota: quota }) }),
        ),
    });

    route('GET /accounts', {
      operationId: 'listAccounts',
      summary: 'All accounts, oldest first or as sorted',
      description:
        'With the usage of the month of each. `used` and `share` have only accounts that used units this month.',
      querystring: AccountsQuery,
      answer: pageSchema(AccountWithUsage),
      handle: async ({ query }) => {
        const { search = '', sort = 'created' } = query;
        if (search !== '' && sort !== 'created')
          throw fieldError('sort', 'must be left out with search', 'invalid_query');
        const page = await accounts.list(toPageRequest(query), { search, order: sort });
        return toPageBody(page, toAccountBody);
      },
    });

    route('GET /accounts/:id', {
      operationId: 'getAccount',
      summary: 'One account with its usage',
      description: 'Units used this month, units left, and credits.',
      params: IdParams,
      answer: AccountWithUsage,
      handle: async ({ params }) => toAccountBody(requireAccount(await accounts.get(params.id))),
    });

    route('PATCH /accounts/:id', {
      operationId: 'updateAccount',
      summary: 'Change the plan, quota, name or dead-link URL; applied within a second',
      description:
        'Fields that are left out stay as they are. `monthly_quota` may be `null`, for that of the plan.',
      params: IdParams,
      body: AccountPatch,
      answer: AccountWithUsage,
      handle: async ({ params, body }) => {
        const {
          dead_link_url: url,
          monthly_quota: quota,
          forward,
          redirect_max_age_s: maxAgeS,
          ...patch
        } = body;
        const change = {
          ...patch,
          ...(maxAgeS === undefined ? {} : { redirectMaxAgeS: maxAgeS }),
          ...(quota === undefined ? {} : { monthlyQuota: quota }),
          ...(forward === undefined ? {} : { forward: readForward(forward) }),
          ...(url === undefined ? {} : { deadLinkUrl: readDeadLinkUrl(url, checkPlainUrl) }),
        };
        return toAccountBody(requireAccount(await accounts.update(params.id, change)));
      },
    });

    route('POST /accounts/:id/credits', {
      operationId: 'addCredits',
      summary: 'Add credits; a repeated reference adds nothing',
      description:
        'With a `reference`, a repeated call is safe; the same reference with another amount is a 422.',
      params: IdParams,
      body: Grant,
      answer: AccountWithUsage,
      status: 201,
      fails: [422],
      handle: async ({ params, body }) => {
        const added = await accounts.addCredits(params.id, body);
        if (!added.ok && added.fault === 'mismatch') {
          throw new AppError(
            'reference_mismatch',
            'reference: it was used with another amount; use a new reference, or send that amount.',
          );
        }
        return toAccountBody(requireAccount(added.ok ? added.value : null));
      },
    });
  };

/** Adds the operator's routes that create, list, change and revoke the keys of an account. */
export const accountKeysRoutes =
  ({ accounts }: Pick<Services, 'accounts'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const route = routesOf(app, 'admin', OF_OPERATOR);

    route('POST /accounts/:id/keys', {
      operationId: 'createAccountKey',
      summary: 'Make a key, which is shown only once',
      description: 'It has all scopes, unless `scopes` names some.',
      params: IdParams,
      body: NewKey,
      answer: CreatedKeyBody,
      status: 201,
      fails: [409],
      handle: async ({ params, body }) =>
        toCreatedKeyBody(await createKey(accounts, { accountId: params.id, keyId: null }, toWantedKey(body))),
    });

    route('GET /accounts/:id/keys', {
      operationId: 'listAccountKeys',
      summary: 'The active keys of an account, newest first, at most a thousand',
      description: 'With what each key has used this month. Expired keys are listed until they are revoked.',
      params: IdParams,
      answer: Type.Object({ data: Type.Array(KeyBody) }, { title: 'Keys' }),
      handle: async ({ params }) => ({
        data: requireAccount(await accounts.listKeys(params.id)).map(toKeyBody),
      }),
    });

    route('PATCH /keys/:id', {
      operationId: 'updateAccountKey',
      summary: 'Change the name or limits of a key; applied within a second',
      description: 'Fields that are left out stay as they are; `null` removes a limit.',
      params: IdParams,
      body: KeyChange,
      answer: KeyBody,
      handle: async ({ params, body }) =>
        toKeyBody(await changeKey(accounts, params.id, null, toKeyPatch(body))),
    });

    route('POST /keys/:id/rotate', {
      operationId: 'rotateAccountKey',
      summary: 'Replace a key by a new one, which is shown only once',
      description: 'It has the name, scopes, limits and signing secrets of the old one.',
      params: IdParams,
      body: KeyRotation,
      answer: CreatedKeyBody,
      status: 201,
      fails: [409],
      handle: async ({ params: { id }, body }) =>
        toCreatedKeyBody(await rotateKey(accounts, null, { id, ...toRotation(body) })),
    });

    route('DELETE /keys/:id', {
      operationId: 'revokeAccountKey',
      summary: 'Revoke a key; every gateway refuses it within a second',
      description:
        'A revoked key cannot be used again. Sessions that were started with it and signing secrets that it made end. The keys that it made are kept, unless `with_made=true` revokes them too.',
      params: IdParams,
      querystring: RevokeQuery,
      handle: async ({ params, query }) => {
        if (await accounts.revokeKey({ id: params.id, accountId: null, withMade: query.with_made === true }))
          return;
        throw new AppError('not_found', 'There is no such key, or it is already revoked.');
      },
    });
  };
