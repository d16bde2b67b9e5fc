import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Sql } from '../../../db/client.ts';
import { whenCommitted } from '../../../db/pool.ts';
import {
  beginVerification,
  eachPage,
  getVerification,
  listVerifications,
  type SignedStatement,
  type Verification,
  type Verified,
} from '../../../db/tables/verifications.ts';
import { AppError } from '../../../errors.ts';
import { orNull } from '../../../stored-json.ts';
import { writeReceipt } from '../../../verify/receipt/document.ts';
import { createTroubles, writePage } from '../../../verify/receipt/page.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder, requireFound } from '../../auth/require-found.ts';
import { sendFileHeaders } from '../../files/attachment.ts';
import { sendStream } from '../../files/streams.ts';
import type { Change } from '../../idempotency.ts';
import {
  fieldsOf,
  IdParams,
  PageQuery,
  pageSchema,
  strict,
  Timestamp,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes } from '../../schemas/code.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import { prefersPage } from '../../short-link-page.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';
import { requireCodeIds } from './codes/many.ts';

const ReceiptQuery = Type.Object({ format: Type.Optional(Type.Enum(['json', 'html'])) }, strict);

const ReceiptBody = Type.Object(
  {
    statement: Type.Record(Type.String(), Type.Unknown()),
    jws: Type.String({ description: 'The signature of the statement.' }),
    codes: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Receipt' },
);

/** The page has styles and nothing else. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const writePageOf = async (sql: Sql, id: string, { statement, jws }: SignedStatement): Promise<string> => {
  const troubles = createTroubles();
  for await (const page of eachPage(sql, id)) {
    for (const line of page === '' ? [] : page.split('\n')) troubles.add(line);
  }
  return writePage({ statement: JSON.parse(statement), jws }, troubles.all);
};

/** What the routes that answer with a receipt have in common. */
const receiptRoute = {
  summary: 'The signed receipt of a finished verification',
  description: 'Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt.',
  querystring: ReceiptQuery,
  answer: withHeaders(
    {
      description: 'The receipt.',
      content: {
        'application/json': { schema: ReceiptBody },
        'text/html': { schema: { type: 'string' } },
      },
    },
    'Cache-Control',
    'Content-Disposition',
  ),
  options: { config: { name: 'receipt' } },
};

/**
 * Answers with the receipt of a verification.
 *
 * @param accept Decides when no format was asked for.
 * @throws {AppError} 404 when there is no receipt.
 */
const sendReceipt = async (
  sql: Sql,
  accept: string | undefined,
  reply: FastifyReply,
  receipt: {
    readonly name: string;
    readonly verification: Verification & { readonly signed: SignedStatement | null };
    readonly format: 'json' | 'html' | undefined;
  },
): Promise<FastifyReply> => {
  const { id, signed } = receipt.verification;
  if (signed === null) {
    throw new AppError('not_found', 'There is no receipt: the verification has not ended in the state done.');
  }
  const { name, format = prefersPage(accept) ? 'html' : 'json' } = receipt;
  const type = format === 'json' ? 'application/json' : 'text/html';
  sendFileHeaders(reply, `${type}; charset=utf-8`, name, format).header('vary', 'Accept');
  if (format === 'json') return sendStream(reply, writeReceipt(signed, eachPage(sql, id)));
  return reply.header('content-security-policy', PAGE_POLICY).send(await writePageOf(sql, id, signed));
};

type VerificationParts = Need<'database' | 'verifier'>;

const VerificationBody = Type.Object(
  {
    id: Uuid,
    folder_id: orNull(
      Type.String({ format: 'uuid', description: '`null`: a verification of chosen codes.' }),
    ),
    state: Type.Enum(['running', 'done', 'failed']),
    total: Type.Integer({ description: 'Codes to read.' }),
    read: Type.Integer({ description: 'The sum of the next four fields.' }),
    passed: Type.Integer(),
    weak: Type.Integer(),
    failed: Type.Integer(),
    missing: Type.Integer(),
    duplicate_contents: orNull(
      Type.Integer({ description: 'Texts that several codes have. Null until it is done, as the next two.' }),
    ),
    duplicate_codes: orNull(Type.Integer({ description: 'The codes that have these texts.' })),
    unfinished_batches: orNull(
      Type.Integer({
        description:
          'Batches that added codes to the folder meanwhile; some of their codes may not have been read.',
      }),
    ),
    created_at: Timestamp,
    finished_at: orNull(Timestamp),
  },
  { title: 'Verification' },
);

const toVerificationBody = (verification: Verification) => {
  const { passed, weak, failed, missing } = verification;
  return {
    ...fieldsOf(verification, 'id', 'folderId', 'state', 'total', 'createdAt', 'finishedAt'),
    read: passed + weak + failed + missing,
    passed,
    weak,
    failed,
    missing,
    ...fieldsOf(verification, 'duplicateContents', 'duplicateCodes', 'unfinishedBatches'),
  };
};

/** @param folderId `null`: it is one of chosen codes. @throws {AppError} 404 when the account has no such verification. */
const ownVerification = async (sql: Sql, accountId: string, folderId: string | null, id: string) =>
  requireFound('verification', await getVerification(sql, accountId, folderId, id));

/** Verifications of an account that may run at a time. */
const RUNNING_MAX = 3;

/** Returns what begins one in a transaction. */
const begin = (
  { verifier }: VerificationParts,
  accountId: string,
  verified: Verified,
): Change<Static<typeof VerificationBody>> => {
  return async ({ sql: tx }) => {
    const verification = await beginVerification(tx, accountId, verified, RUNNING_MAX);
    if (!verification.ok)
      throw new AppError(
        'limit_reached',
        `${RUNNING_MAX} of your verifications are running; start another when one has ended.`,
      );
    whenCommitted(tx, verifier.wake);
    return toVerificationBody(verification.value);
  };
};

/** What the calls that begin one have in common. */
const begins = { answer: VerificationBody, status: 202 };

const FolderParams = Type.Object({ id: Uuid, vid: Uuid }, strict);

/** Adds the routes that begin, list and show verifications of folders, with their receipts. */
export const folderVerificationRoutes = ofAccount(
  { tag: 'Folders', name: 'verifications' },
  (route, parts: VerificationParts) => {
    const { sql } = parts.database;
    route('POST /folders/:id/verifications', {
      operationId: 'createVerification',
      summary: 'Read every picture of a folder with independent readers; free of charge',
      description: 'If one is already running for the folder, it is returned.',
      ...begins,
      params: IdParams,
      fails: [413],
      change: async ({ params }, { accountId }) =>
        begin(parts, accountId, { folderId: (await requireFolder(sql, accountId, params.id)).id }),
    });

    route('GET /folders/:id/verifications', {
      operationId: 'listVerifications',
      summary: 'Verifications of a folder, newest first',
      description: 'With the progress of each, and the counts of those that have ended.',
      params: IdParams,
      querystring: PageQuery,
      answer: pageSchema(VerificationBody),
      handle: async ({ params: { id }, query }, { accountId }) => {
        await requireFolder(sql, accountId, id);
        const page = await listVerifications(sql, accountId, id, toPageRequest(query));
        return toPageBody(page, toVerificationBody);
      },
    });

    route('GET /folders/:id/verifications/:vid', {
      operationId: 'getVerification',
      summary: 'One verification, with its progress',
      description: 'Ask again until `state` is no longer `running`.',
      params: FolderParams,
      answer: VerificationBody,
      handle: async ({ params: { id, vid } }, { accountId }) => {
        await requireFolder(sql, accountId, id);
        return toVerificationBody(await ownVerification(sql, accountId, id, vid));
      },
    });

    route('GET /folders/:id/verifications/:vid/receipt', {
      ...receiptRoute,
      operationId: 'getReceipt',
      params: FolderParams,
      handle: async ({ params: { id, vid }, query, headers }, { accountId }, reply) => {
        const { name } = await requireFolder(sql, accountId, id);
        const verification = await ownVerification(sql, accountId, id, vid);
        const receipt = { name: `${name} receipt`, verification, format: query.format };
        return sendReceipt(sql, headers.accept, reply, receipt);
      },
    });
  },
);

const CodesParams = Type.Object({ vid: Uuid }, strict);

/** Adds the routes that begin, list and show verifications of chosen codes, with their receipts. */
export const codeVerificationRoutes = ofAccount(
  { tag: 'Codes', name: 'verifications' },
  (route, parts: VerificationParts) => {
    const { sql } = parts.database;
    route('POST /code-verifications', {
      operationId: 'createCodesVerification',
      summary: 'Read the pictures of codes with independent readers; free of charge',
      description: 'If one is already running for the same codes, it is returned.',
      ...begins,
      body: ChosenCodes,
      fails: [404],
      options: { bodyLimit: CHOSEN_BODY_BYTES },
      change: async ({ body }, { accountId }) =>
        begin(parts, accountId, { codeIds: await requireCodeIds(sql, accountId, body) }),
    });

    route('GET /code-verifications', {
      operationId: 'listCodesVerifications',
      summary: 'Verifications of chosen codes, newest first',
      description: 'Verifications of whole folders are listed with their folders.',
      ...pagesOf(VerificationBody, toVerificationBody, ({ accountId }, page) =>
        listVerifications(sql, accountId, null, page),
      ),
    });

    route('GET /code-verifications/:vid', {
      operationId: 'getCodesVerification',
      summary: 'One verification of chosen codes, with its progress',
      description: 'Ask again until `state` is no longer `running`.',
      params: CodesParams,
      answer: VerificationBody,
      handle: async ({ params }, { accountId }) =>
        toVerificationBody(await ownVerification(sql, accountId, null, params.vid)),
    });

    route('GET /code-verifications/:vid/receipt', {
      ...receiptRoute,
      operationId: 'getCodesReceipt',
      params: CodesParams,
      handle: async ({ params, query, headers }, { accountId }, reply) => {
        const verification = await ownVerification(sql, accountId, null, params.vid);
        const receipt = { name: 'codes receipt', verification, format: query.format };
        return sendReceipt(sql, headers.accept, reply, receipt);
      },
    });
  },
);
