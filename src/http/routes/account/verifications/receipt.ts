import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { eachPage } from '../../../../db/tables/verifications/pages.ts';
import type { SignedStatement, Verification } from '../../../../db/tables/verifications/verifications.ts';
import { AppError } from '../../../../errors.ts';
import { writeReceipt } from '../../../../verify/receipt/document.ts';
import { createTroubles, writePage } from '../../../../verify/receipt/page.ts';
import { attachment } from '../../../files/attachment.ts';
import { errors, KEY_ERRORS, strict } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { prefersPage } from '../../../short-link-page.ts';

const ReceiptQuery = Type.Object({ format: Type.Optional(Type.Enum(['json', 'html'])) }, strict);

const ReceiptBody = Type.Object(
  {
    statement: Type.Record(Type.String(), Type.Unknown()),
    jws: Type.String({ description: 'Signs the statement.' }),
    codes: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Receipt' },
);

/** The page has styles and nothing else. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** A connection that is idle for so long is cut. */
const STALL_TIMEOUT_MS = 90_000;

const pageOf = async (sql: Sql, id: string, { statement, jws }: SignedStatement): Promise<string> => {
  const troubles = createTroubles();
  for await (const page of eachPage(sql, id)) {
    for (const line of page === '' ? [] : page.split('\n')) troubles.add(line);
  }
  return writePage({ statement: JSON.parse(statement), jws }, troubles.all);
};

/** What the operations that answer with a receipt have in common. */
export const receiptSchema = {
  summary: 'The signed receipt of a verification that is done',
  description: 'Without `format`, `Accept` decides. docs/receipts.md says how a receipt is checked.',
  querystring: ReceiptQuery,
  response: {
    200: withHeaders(
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
    ...errors(400, 404, ...KEY_ERRORS),
  },
};

const sendJson = (sql: Sql, reply: FastifyReply, id: string, signed: SignedStatement): FastifyReply => {
  reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
  const text = Readable.from(writeReceipt(signed, eachPage(sql, id)), { objectMode: false });
  return reply.type('application/json; charset=utf-8').send(text);
};

/**
 * Answers with the receipt of a verification.
 *
 * @param accept Decides when no format was asked for.
 * @throws {AppError} 404 when there is no receipt.
 */
export const receiptReply = async (
  sql: Sql,
  accept: string | undefined,
  reply: FastifyReply,
  receipt: {
    /** The name of the file. */
    readonly name: string;
    readonly verification: Verification & { readonly signed: SignedStatement | null };
    readonly format: 'json' | 'html' | undefined;
  },
): Promise<FastifyReply> => {
  const { id, signed } = receipt.verification;
  if (signed === null) {
    throw new AppError('not_found', 'There is no receipt: the verification has not ended as done.');
  }
  const { name, format = prefersPage(accept) ? 'html' : 'json' } = receipt;
  reply
    .header('cache-control', 'private, no-store')
    .header('vary', 'Accept')
    .header('content-disposition', attachment(name, format));
  if (format === 'json') return sendJson(sql, reply, id, signed);
  reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY);
  return reply.send(await pageOf(sql, id, signed));
};
