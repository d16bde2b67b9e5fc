import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Accounts } from '../../../accounts/accounts.ts';
import {
  AccountBody,
  AccountPatch,
  AccountWithUsage,
  NewAccount,
  toAccountBody,
} from '../../schemas/account.ts';
import {
  BODY_ERRORS,
  errors,
  IdParams,
  pageSchema,
  searchQuery,
  toPageBody,
  toPageRequest,
} from '../../schemas/atoms.ts';
import { type CheckDestination, readDeadLinkUrl } from '../../schemas/dead-link-url.ts';
import { found } from './found.ts';

/** What the operator's routes for accounts need. */
export interface AdminAccountParts {
  readonly accounts: Accounts;
  readonly checkDestination: CheckDestination;
}

/** Adds the operator's routes that make, list, read and change accounts. */
export const adminAccountRoutes =
  ({ accounts, checkDestination }: AdminAccountParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/accounts',
      {
        schema: {
          operationId: 'createAccount',
          summary: 'Make an account',
          body: NewAccount,
          response: { 201: AccountBody, ...errors(401, 403, 429, 503, ...BODY_ERRORS) },
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
          querystring: searchQuery('Only the account of this id, or whose name includes this text.'),
          response: { 200: pageSchema(AccountWithUsage), ...errors(400, 401, 429, 503) },
        },
      },
      async (request) =>
        toPageBody(await accounts.list(toPageRequest(request.query), request.query.search), toAccountBody),
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
          response: { 200: AccountWithUsage, ...errors(401, 403, 404, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request) => {
        const { deadLinkUrl, ...patch } = request.body;
        const url =
          deadLinkUrl === undefined ? {} : { deadLinkUrl: readDeadLinkUrl(deadLinkUrl, checkDestination) };
        return toAccountBody(found(await accounts.update(request.params.id, { ...patch, ...url })));
      },
    );
  };
