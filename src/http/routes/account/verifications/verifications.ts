import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  beginVerification,
  getVerification,
  listVerifications,
  type Verification,
} from '../../../../db/tables/verifications/verifications.ts';
import { AppError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../../auth/of-account.ts';
import { owned, ownFolder } from '../../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  orNull,
  PageQuery,
  pageSchema,
  strict,
  Timestamp,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../../schemas/atoms.ts';

/** What the routes of verifications need. */
export interface VerificationRouteParts extends CostlyParts {
  /** Makes this gateway look for work at once. */
  readonly verifier: { wake(): void };
}

/** The path parameters of a verification: its folder's id and its own. */
export const VerificationParams = Type.Object({ id: Uuid, vid: Uuid }, strict);

const VerificationBody = Type.Object(
  {
    id: Uuid,
    folder_id: Uuid,
    state: Type.Enum(['running', 'done', 'failed']),
    total: Type.Integer({ description: 'Codes in the folder.' }),
    read: Type.Integer({ description: 'The sum of the next four.' }),
    passed: Type.Integer(),
    weak: Type.Integer(),
    failed: Type.Integer(),
    missing: Type.Integer(),
    created_at: Timestamp,
    finished_at: orNull(Timestamp),
  },
  { title: 'Verification' },
);

const toBody = (verification: Verification) => {
  const { id, folderId, state, total, passed, weak, failed, missing, createdAt, finishedAt } = verification;
  return {
    id,
    folder_id: folderId,
    state,
    total,
    read: passed + weak + failed + missing,
    ...{ passed, weak, failed, missing },
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
};

/** Verifications of an account that may run at a time. */
const RUNNING_MAX = 3;

const tooMany = () =>
  new AppError(
    'limit_reached',
    `${RUNNING_MAX} verifications of your folders are running; begin another when one is done.`,
  );

/** Adds the routes that begin, list and show verifications. */
export const verificationRoutes =
  ({ database, freeWork, verifier, ...account }: VerificationRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);
    const { sql } = database;
    const config = { name: 'verifications' };

    app.post(
      '/folders/:id/verifications',
      {
        config,
        schema: {
          operationId: 'createVerification',
          summary: 'Read every picture of a folder with independent readers; free of charge',
          description: 'While one runs for the folder, it is the answer.',
          params: IdParams,
          response: { 202: VerificationBody, ...errors(400, 404, 409, 413, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { id: folderId } = request.params;
        await ownFolder(sql, accountId, folderId);
        freeWork.admit(accountId);
        const begun = await sql.begin((tx) =>
          beginVerification(tx, { accountId, folderId, maxRunning: RUNNING_MAX }),
        );
        if (!begun.ok) throw tooMany();
        verifier.wake();
        return reply.code(202).send(toBody(begun.value));
      },
    );

    app.get(
      '/folders/:id/verifications',
      {
        config,
        schema: {
          operationId: 'listVerifications',
          summary: 'Verifications of a folder, newest first',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: pageSchema(VerificationBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { id } = request.params;
        await ownFolder(sql, accountId, id);
        const page = await listVerifications(sql, accountId, id, toPageRequest(request.query));
        return toPageBody(page, toBody);
      },
    );

    app.get(
      '/folders/:id/verifications/:vid',
      {
        config,
        schema: {
          operationId: 'getVerification',
          summary: 'One verification, with its progress',
          params: VerificationParams,
          response: { 200: VerificationBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { id, vid } = request.params;
        await ownFolder(sql, accountId, id);
        return toBody(owned('verification', await getVerification(sql, accountId, id, vid)));
      },
    );
  };
