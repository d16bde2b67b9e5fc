import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { eachPage } from '../../../../db/tables/verifications/pages.ts';
import type { SignedStatement, Verification } from '../../../../db/tables/verifications/verifications.ts';
import { AppError } from '../../../../errors.ts';
import { writeReceipt } from '../../../../verify/receipt/document.ts';
import { createTroubles, writePage } from '../../../../verify/receipt/page.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { strict } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import { prefersPage } from '../../../short-link-page.ts';

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
export const receiptRoute = {
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
export const sendReceipt = async (
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
