import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { openPart } from '../../../../batches/work/files.ts';
import { writePart } from '../../../../batches/work/pages.ts';
import type { Batch } from '../../../../db/tables/batches/batches.ts';
import { getPart, listParts, partOf } from '../../../../db/tables/batches/parts.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { toFileStem } from '../../../../texts.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireBatch, requireFound } from '../../../auth/require-found.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { isKnownTo, rangeOf } from '../../../files/versions.ts';
import { describeBytes, IdParams, NotModified, strict, Uuid } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';

const PartList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { n: Type.Integer(), codes: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() },
        { title: 'BatchPart' },
      ),
    ),
  },
  { title: 'BatchPartList' },
);

/** Longer names of folders are cut, so that the number is left. */
const NAME_MAX_BYTES = 180;

/** Returns what a part is called, without its ending: `Spring mailing 1 of 3`. */
const partName = ({ folderName, rows }: Pick<Batch, 'folderName' | 'rows'>, number: number): string => {
  const name = toFileStem(folderName ?? 'Batch', NAME_MAX_BYTES);
  const count = partOf(Math.max(1, rows));
  return count === 1 ? name : `${name} ${number} of ${count}`;
};

const PartParams = Type.Object({ id: Uuid, n: Type.Integer({ minimum: 1, maximum: 1000 }) }, strict);

const PartQuery = Type.Object(
  {
    output: Type.Optional(
      Type.Enum(['files', 'pages'], {
        default: 'files',
        description: '`pages`: one PDF of the PDFs.',
      }),
    ),
    proof: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether a first page says what the job is.' }),
    ),
  },
  strict,
);

type PartQuery = Static<typeof PartQuery>;

/** @throws {AppError} 400 when there are no pages to send, or no proof. */
export const checkOutput = (
  { output = 'files', proof = false }: PartQuery,
  { formats }: Pick<Batch, 'formats'>,
  code: 'invalid_query' | 'invalid_body' = 'invalid_query',
): void => {
  if (output === 'files' && proof) throw fieldError('proof', 'needs output=pages', code);
  if (output === 'pages' && !formats.includes('pdf'))
    throw fieldError(
      'output',
      `pages are made of PDFs, and this batch has ${formats.join(', ')}; send it with formats=pdf`,
      code,
    );
};

/** Adds the routes that list and send the results of batches. */
export const batchPartRoutes = ofAccount(
  { tag: 'Batches', name: 'batch_parts', scope: 'generate' },
  (route, { batches: { parts }, freeWork }: Need<'batches' | 'freeWork'>) => {
    const { sql } = parts;
    route('GET /batches/:id/parts', {
      operationId: 'listBatchParts',
      summary: 'The parts of a batch made so far; each has up to 50,000 rows',
      description: 'A part can be downloaded as soon as it is listed.',
      params: IdParams,
      answer: PartList,
      handle: async ({ params }, { accountId }) => {
        const found = await listParts(sql, (await requireBatch(sql, accountId, params.id)).id);
        return {
          data: found.map(({ number, codes, bytes: length, sha256 }) => ({
            n: number,
            codes,
            bytes: length,
            sha256: sha256.toString('hex'),
          })),
        };
      },
    });

    const find = async (accountId: string, { id, n }: Static<typeof PartParams>, query: PartQuery) => {
      const batch = await requireBatch(sql, accountId, id);
      const stored = requireFound('part', await getPart(sql, batch.id, n));
      checkOutput(query, batch);
      const { output = 'files', proof = false } = query;
      const isPages = output === 'pages';
      if (isPages && stored.codes === 0) throw new AppError('not_found', 'No row of this part has files.');
      // The pages follow from the files, so they change with them.
      const version = `${stored.sha256.toString('hex')}${isPages ? '-pages' : ''}${proof ? '-proof' : ''}`;
      return { batch, stored, isPages, proof, etag: `"${version}"`, name: partName(batch, n) };
    };
    type Found = Awaited<ReturnType<typeof find>>;

    const sendHeaders = (reply: FastifyReply, { etag, name, isPages, stored, proof }: Found) => {
      const [type, ending] = isPages ? ['application/pdf', 'pdf'] : ['application/zip', 'zip'];
      if (isPages) reply.header('tessera-pages', String(stored.codes + (proof ? 1 : 0)));
      return sendFileHeaders(reply, type!, name, ending!)
        .header('etag', etag)
        .header('accept-ranges', isPages ? 'none' : 'bytes')
        .header('cache-control', 'private, no-cache');
    };

    /** Sends the pages, which are put together meanwhile. @throws {AppError} 429, and as `sendStream`. */
    const sendPages = async (reply: FastifyReply, found: Found): Promise<FastifyReply> => {
      const { batch, stored, proof } = found;
      freeWork.admit(batch.accountId);
      const spend = (workedMs: number): void => freeWork.spend(batch.accountId, workedMs);
      const pages = writePart(parts, batch, stored, proof ? spend : null);
      const head = (): void => void sendHeaders(reply, found);
      return sendStream(reply, pages, { isWhole: true, head, kind: 'archives' });
    };

    const zip = describeBytes('The ZIP.', 'application/zip');
    const file = describeBytes('The ZIP, or the PDF.', 'application/zip', 'application/pdf');
    const headers = ['ETag', 'Accept-Ranges', 'Cache-Control', 'Content-Disposition'] as const;
    const download = {
      operationId: 'getBatchPart',
      isPaid: true,
      summary: 'A part as a ZIP with its manifest, or its PDFs as one',
      description:
        'The manifest has row, file_row, external_id, name, content, slug, short_url, file, sha256, grade and warnings of each file. `Range` is for the ZIP.',
      params: PartParams,
      querystring: PartQuery,
      answer: withHeaders(file, ...headers, 'Tessera-Pages'),
      answers: {
        206: withHeaders(zip, ...headers, 'Content-Range'),
        304: withHeaders(NotModified, 'ETag', 'Cache-Control'),
      },
      fails: [416],
      options: { exposeHeadRoute: false },
    } as const;

    route('GET /batches/:id/parts/:n', {
      ...download,
      handle: async (request, { accountId }, reply) => {
        const found = await find(accountId, request.params, request.query);
        const { batch, stored, etag } = found;
        if (isKnownTo(request, etag)) return sendHeaders(reply, found).code(304).send(null);
        if (found.isPages) return sendPages(reply, found);
        const range = rangeOf(request, stored.bytes, etag);
        if (range === 'outside') {
          reply.header('content-range', `bytes */${stored.bytes}`);
          throw new AppError('range_not_satisfiable', `Range: the file has ${stored.bytes} bytes.`);
        }
        const { start, end } = range ?? { start: 0, end: stored.bytes };
        const part = await openPart(parts, batch, stored);
        const head = () => {
          sendHeaders(reply, found).header('content-length', end - start);
          if (range !== null)
            reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${stored.bytes}`);
        };
        return sendStream(reply, part.read({ start, end }), { isWhole: true, head });
      },
    });

    route('HEAD /batches/:id/parts/:n', {
      ...download,
      handle: async (request, { accountId }, reply) => {
        const found = await find(accountId, request.params, request.query);
        sendHeaders(reply, found);
        if (isKnownTo(request, found.etag)) return reply.code(304).send();
        if (!found.isPages) reply.header('content-length', found.stored.bytes);
        return reply.send();
      },
    });
  },
);
