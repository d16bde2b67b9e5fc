import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { noTimings } from '../../../generate/parts.ts';
import { type Redraw, refuseSketch } from '../../../generate/redraw.ts';
import { SizePx } from '../../../generate/request/picture-options.ts';
import { pictureKey } from '../../../render/picture-key.ts';
import { principalOf } from '../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../auth/of-account.ts';
import { ownCode } from '../../auth/owned.ts';
import { etagOf, isKnownTo } from '../../etag.ts';
import { sendTimings } from '../../headers.ts';
import { bytes, errors, IdParams, KEY_ERRORS, NotModified, strict } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import { sendGrade } from '../../terms.ts';

/** What the picture route needs. */
export interface PictureRouteParts extends CostlyParts {
  readonly redraw: Redraw;
}

const PictureQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(['png', 'svg'], { default: 'png' })),
    width: Type.Optional(
      Type.Integer({
        ...SizePx,
        description: 'Pixels; absent: the saved width. Height and margins in pixels are scaled with it.',
      }),
    ),
  },
  strict,
);

const MEDIA_TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** An SVG that is opened by itself is a page. This allows its styles and embedded pictures, and no scripts. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; img-src data:";

/** Adds the route that draws a saved code again. */
export const pictureRoute =
  ({ database, freeWork, redraw, ...account }: PictureRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);

    app.get(
      '/codes/:id/image',
      {
        config: { name: 'picture' },
        schema: {
          operationId: 'getCodeImage',
          summary: 'The picture of a code, drawn again from the saved design; free of charge',
          description:
            'At the saved width the PNG has the same bytes as the first one. Drawing counts as free work of the account; a `304` does not.',
          params: IdParams,
          querystring: PictureQuery,
          response: {
            200: withHeaders(
              bytes('The picture.', ...Object.values(MEDIA_TYPES)),
              'ETag',
              'Cache-Control',
              'Server-Timing',
              'Content-Disposition',
              'Tessera-Grade',
              'Tessera-Warnings',
            ),
            304: withHeaders(NotModified, 'ETag', 'Cache-Control'),
            ...errors(400, 404, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { id } = request.params;
        const { format = 'png', width } = request.query;
        const sketched = redraw.sketch(await ownCode(database.sql, accountId, id), format, width);
        if (!sketched.ok) throw refuseSketch(sketched.fault);
        const sketch = sketched.value;

        const etag = etagOf(pictureKey(sketch));
        // Caches must ask each time, because the code may be deleted, or the address of short links may change.
        reply.type(MEDIA_TYPES[format]).header('etag', etag).header('cache-control', 'private, no-cache');
        if (isKnownTo(request, etag)) return reply.code(304).send(null);

        freeWork.admit(accountId);
        const timings = noTimings();
        const drawn = await redraw.draw(accountId, sketch, timings);
        const { bytes: picture } = drawn;
        sendTimings(reply, timings);
        sendGrade(reply, drawn);
        if (format === 'svg') reply.header('content-security-policy', SVG_POLICY);
        return reply
          .header('content-disposition', `inline; filename="${id}.${format}"`)
          .send(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength));
      },
    );
  };
