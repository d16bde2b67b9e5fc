import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { onRequestAsyncHookHandler } from 'fastify';
import Type from 'typebox';
import type { Accounts, AccountWithBalance } from '../../../accounts/accounts.ts';
import { AppError } from '../../../errors.ts';
import { createKey } from '../../auth/new-key.ts';
import {
  BODY_ERRORS,
  errors,
  IdParams,
  Name,
  NoContent,
  orNull,
  PageQuery,
  pageSchema,
  strict,
  Timestamp,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { type CheckDestination, DeadLinkUrl, readDeadLinkUrl } from '../../schemas/dead-link-url.ts';
import { CreatedKeyBody, KeyBody, NewKey, toCreatedKeyBody, toKeyBody } from '../../schemas/key.ts';
import { document } from '../../schemas/openapi.ts';

/** What the operator's routes need. */
export interface AdminRouteParts {
  readonly accounts: Accounts;
  /** The hook that accepts requests with the operator's token. */
  readonly requireAdmin: onRequestAsyncHookHandler;
  readonly checkDestination: CheckDestination;
}

const MAX_UNITS = 1_000_000_000_000;

const PlanName = Type.Enum(['free', 'pro']);
const Units = Type.Integer({ minimum: 0, maximum: MAX_UNITS });
const MonthlyQuota = Type.Union([Units, Type.Null()], { description: "null: the plan's quota." });

const NewAccount = Type.Object(
  {
    name: Name,
    plan: PlanName,
    monthlyQuota: Type.Optional(MonthlyQuota),
    credits: Type.Optional(Units),
  },
  { ...strict, title: 'NewAccount', examples: [{ name: 'ACME', plan: 'pro', credits: 500 }] },
);
const AccountPatch = Type.Object(
  {
    plan: Type.Optional(PlanName),
    monthlyQuota: Type.Optional(MonthlyQuota),
    name: Type.Optional(Name),
    deadLinkUrl: Type.Optional(DeadLinkUrl),
  },
  { ...strict, title: 'AccountPatch', minProperties: 1, examples: [{ plan: 'pro', monthlyQuota: 50_000 }] },
);
const Grant = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: MAX_UNITS }),
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}]+$' })),
  },
  { ...strict, title: 'Grant', examples: [{ amount: 1000, reference: 'invoice-2026-117' }] },
);
const AccountBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    plan: PlanName,
    monthly_quota: Type.Integer(),
    credits: Type.Integer(),
    dead_link_url: orNull(Type.String()),
    created_at: Timestamp,
  },
  { title: 'Account' },
);
const Usage = Type.Object(
  {
    period: Type.String(),
    monthly_used: Type.Integer(),
    usage_count: Type.Integer(),
    remaining: Type.Integer(),
    resets_at: Timestamp,
  },
  { title: 'AccountUsage' },
);
const AccountWithUsage = Type.Object(
  { ...AccountBody.properties, usage: Usage },
  { title: 'AccountWithUsage' },
);
const toAccountBody = ({ account, balance }: AccountWithBalance) => ({
  id: account.id,
  name: account.name,
  plan: account.plan,
  monthly_quota: balance.monthlyQuota,
  credits: balance.credits,
  dead_link_url: account.deadLinkUrl,
  created_at: account.createdAt.toISOString(),
  usage: {
    period: balance.period,
    monthly_used: balance.monthlyUsed,
    usage_count: balance.usageCount,
    remaining: balance.remaining,
    resets_at: new Date(balance.resetsAtMs).toISOString(),
  },
});

/** Adds the operator's API: accounts, their plans, credits and keys. */
export const adminRoutes =
  ({ accounts, requireAdmin, checkDestination }: AdminRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Admin', { adminToken: [] });
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, name: 'admin' };
    });
    app.addHook('onRequest', requireAdmin);

    const found = <T>(value: T | null): T => {
      if (value === null) throw new AppError('not_found', 'There is no such account.');
      return value;
    };

    app.post(
      '/accounts',
      {
        schema: {
          operationId: 'createAccount',
          summary: 'Make an account',
          body: NewAccount,
          response: { 201: AccountBody, ...errors(401, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request, reply) => reply.code(201).send(toAccountBody(await accounts.create(request.body))),
    );

    app.get(
      '/accounts',
      {
        schema: {
          operationId: 'listAccounts',
          summary: 'All accounts, oldest first',
          querystring: PageQuery,
          response: { 200: pageSchema(AccountWithUsage), ...errors(400, 401, 429, 503) },
        },
      },
      async (request) => toPageBody(await accounts.list(toPageRequest(request.query)), toAccountBody),
    );

    app.get(
      '/accounts/:id',
      {
        schema: {
          operationId: 'getAccount',
          summary: 'One account with its usage',
          params: IdParams,
          response: { 200: AccountWithUsage, ...errors(400, 401, 404, 429, 503) },
        },
      },
      async (request) => toAccountBody(found(await accounts.get(request.params.id))),
    );

    app.patch(
      '/accounts/:id',
      {
        schema: {
          operationId: 'updateAccount',
          summary:
            'Change the plan, the quota, the name or the address for deleted links; applied within a second',
          params: IdParams,
          body: AccountPatch,
          response: { 200: AccountWithUsage, ...errors(401, 404, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request) => {
        const { deadLinkUrl, ...patch } = request.body;
        const url =
          deadLinkUrl === undefined ? {} : { deadLinkUrl: readDeadLinkUrl(deadLinkUrl, checkDestination) };
        return toAccountBody(found(await accounts.update(request.params.id, { ...patch, ...url })));
      },
    );

    app.post(
      '/accounts/:id/credits',
      {
        schema: {
          operationId: 'addCredits',
          summary: 'Add credits; a repeated reference adds nothing',
          params: IdParams,
          body: Grant,
          response: { 201: AccountWithUsage, ...errors(401, 404, 422, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request, reply) => {
        const added = await accounts.addCredits(request.params.id, request.body);
        if (!added.ok && added.fault === 'mismatch') {
          throw new AppError(
            'reference_mismatch',
            'reference: it was used with another amount; use a new reference, or send that amount.',
          );
        }
        return reply.code(201).send(toAccountBody(found(added.ok ? added.value : null)));
      },
    );

    app.post(
      '/accounts/:id/keys',
      {
        schema: {
          operationId: 'createAccountKey',
          summary: 'Make a key, which is shown only once',
          params: IdParams,
          body: NewKey,
          response: { 201: CreatedKeyBody, ...errors(401, 404, 409, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request, reply) =>
        reply.code(201).send(toCreatedKeyBody(await createKey(accounts, request.params.id, request.body))),
    );

    app.get(
      '/accounts/:id/keys',
      {
        schema: {
          operationId: 'listAccountKeys',
          summary: 'The active keys of an account, newest first, at most a thousand',
          params: IdParams,
          response: {
            200: Type.Object({ data: Type.Array(KeyBody) }, { title: 'Keys' }),
            ...errors(400, 401, 404, 429, 503),
          },
        },
      },
      async (request) => ({ data: found(await accounts.listKeys(request.params.id)).map(toKeyBody) }),
    );

    app.delete(
      '/keys/:id',
      {
        schema: {
          operationId: 'revokeAccountKey',
          summary: 'Revoke a key; every gateway refuses it within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 401, 404, 415, 429, 503) },
        },
      },
      async (request, reply) => {
        if (await accounts.revokeKey(request.params.id)) return reply.code(204).send(null);
        throw new AppError('not_found', 'There is no such key, or it is already revoked.');
      },
    );
  };
