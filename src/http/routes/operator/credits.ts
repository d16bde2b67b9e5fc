import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Accounts } from '../../../accounts/accounts.ts';
import { AppError } from '../../../errors.ts';
import { AccountWithUsage, Grant, toAccountBody } from '../../schemas/account.ts';
import { BODY_ERRORS, errors, IdParams } from '../../schemas/atoms.ts';
import { found } from './found.ts';

/** Adds the operator's route that adds credits to an account. */
export const creditsRoute =
  ({ accounts }: { readonly accounts: Accounts }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/accounts/:id/credits',
      {
        schema: {
          operationId: 'addCredits',
          summary: 'Add credits; a repeated reference adds nothing',
          params: IdParams,
          body: Grant,
          response: { 201: AccountWithUsage, ...errors(401, 403, 404, 422, 429, 503, ...BODY_ERRORS) },
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
  };
