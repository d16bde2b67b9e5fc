import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { deleteCode, getCode, listCodes, type StoredCode } from '../../db/codes.ts';
import type { Database } from '../../db/database.ts';
import { hasFolder } from '../../db/folders.ts';
import { deleteUnusedLogos, getLogo } from '../../db/logos.ts';
import { scanTotals } from '../../db/scans.ts';
import { AppError } from '../../errors.ts';
import { toOptions } from '../../generate/options.ts';
import { type Redraw, refuseSketch } from '../../generate/redraw.ts';
import { SizePx } from '../../generate/request.ts';
import { noTimings } from '../../generate/steps.ts';
import { callerOf } from '../auth.ts';
import { CodeBody, CodeWithDesign, toCodeBody, toImageOption } from '../code-body.ts';
import { etagOf, isKnownTo } from '../etag.ts';
import { sendTimings } from '../headers.ts';
import { type AccountParts, ofAccount } from '../of-account.ts';
import {
  bytes,
  errors,
  IdParams,
  KEY_ERRORS,
  NoContent,
  PageQuery,
  pageSchema,
  strict,
  toPageRequest,
} from '../schema.ts';

export interface CodesRouteParts extends AccountParts {
  readonly database: Database;
  readonly redraw: Redraw;
}

const PictureQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(['png', 'svg'], { default: 'png' })),
    width: Type.Optional(
      Type.Integer({
        ...SizePx,
        description: 'Pixels; absent: as it was made. The height and margins in pixels grow with it.',
      }),
    ),
  },
  strict,
);

const MEDIA_TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** An SVG that is opened by itself is a page: it may carry its styles and pictures, and run nothing. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; img-src data:";

const notFound = () => new AppError('not_found', 'There is no such code.');

export const codesRoutes =
  ({ database, redraw, ...account }: CodesRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql, changes } = database;
    const config = { name: 'codes' };

    const find = async (accountId: string, id: string): Promise<StoredCode> => {
      const code = await getCode(sql, accountId, id);
      if (code === null) throw notFound();
      return code;
    };

    const totalsOf = (codes: readonly StoredCode[]) =>
      scanTotals(
        sql,
        codes.flatMap(({ slug }) => slug ?? []),
      );

    app.get(
      '/folders/:id/codes',
      {
        config,
        schema: {
          summary: 'The codes of a folder, in the order in which they were made',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: pageSchema(CodeBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = callerOf(request);
        const { id } = request.params;
        const page = toPageRequest(request.query);
        if (!(await hasFolder(sql, accountId, id)))
          throw new AppError('not_found', 'There is no such folder.');
        const { rows, next } = await listCodes(sql, accountId, id, page);
        const totals = await totalsOf(rows);
        return { data: rows.map((code) => toCodeBody(code, totals.get(code.slug ?? ''))), next_cursor: next };
      },
    );

    app.get(
      '/codes/:id',
      {
        config,
        schema: {
          summary: 'One code with its design',
          params: IdParams,
          response: { 200: CodeWithDesign, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = callerOf(request);
        const code = await find(accountId, request.params.id);
        const totals = await totalsOf([code]);
        const logo = code.logoSha256 === null ? null : await getLogo(sql, accountId, code.logoSha256);
        return {
          ...toCodeBody(code, totals.get(code.slug ?? '')),
          folder_id: code.folderId,
          design: { ...toOptions(code.design), ...(logo === null ? {} : toImageOption(logo.png)) },
        };
      },
    );

    app.get(
      '/codes/:id/image',
      {
        config,
        schema: {
          summary: 'The picture again, from the saved design; free of charge',
          description: 'At the width that it was made with, the PNG is the same to the bit.',
          params: IdParams,
          querystring: PictureQuery,
          response: {
            200: bytes('The picture.', ...Object.values(MEDIA_TYPES)),
            304: { type: 'null', description: 'The picture that `If-None-Match` names.' },
            ...errors(400, 404, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = callerOf(request);
        const { id } = request.params;
        const { format = 'png', width } = request.query;
        const sketch = redraw.sketch(await find(accountId, id), format, width);
        if ('field' in sketch) throw refuseSketch(sketch);

        const etag = etagOf(sketch.format, sketch.text, sketch.design, sketch.logoSha256);
        // To be asked for each time: the code may be deleted, or the address of short links be another.
        reply.type(MEDIA_TYPES[format]).header('etag', etag).header('cache-control', 'private, no-cache');
        if (isKnownTo(request, etag)) return reply.code(304).send(null);

        const timings = noTimings();
        const { bytes: picture } = await redraw.draw(accountId, sketch, timings);
        sendTimings(reply, timings);
        if (format === 'svg') reply.header('content-security-policy', SVG_POLICY);
        return reply
          .header('content-disposition', `inline; filename="${id}.${format}"`)
          .send(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength));
      },
    );

    app.delete(
      '/codes/:id',
      {
        config,
        schema: {
          summary: 'Delete a code; its short link stops within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = callerOf(request);
        const deleted = await sql.begin(async (tx) => {
          const code = await deleteCode(tx, accountId, request.params.id);
          if (code === null) return false;
          await deleteUnusedLogos(tx, accountId);
          if (code.slug !== null) await changes.announce(tx, { kind: 'link', id: code.slug });
          return true;
        });
        if (!deleted) throw notFound();
        return reply.code(204).send(null);
      },
    );
  };
