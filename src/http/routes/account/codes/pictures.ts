import Type from 'typebox';
import { type FileFormat, FORMATS, namesOf } from '../../../../../workers/lists.ts';
import { codeWords } from '../../../../archive/names.ts';
import { noTimings } from '../../../../generate/parts.ts';
import type { Sketch } from '../../../../generate/redraw.ts';
import { refuseSketch } from '../../../../generate/refusals.ts';
import { sizeParameters, toFileSize } from '../../../../generate/request/file-options.ts';
import { CODE_NAMES } from '../../../../generate/request/words.ts';
import { pictureKey } from '../../../../render/result-cache.ts';
import { okOrThrow } from '../../../../result.ts';
import { sendGrade, sendLost, sendSizeMm, sendTimings } from '../../../answer-headers.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireCode } from '../../../auth/require-found.ts';
import { PICTURE_TYPES, sendPicture } from '../../../files/attachment.ts';
import { createProfileHook, profileParameter } from '../../../files/print-profile.ts';
import { etagOf, isKnownTo } from '../../../files/versions.ts';
import { describeBytes, IdParams, NotModified, strict } from '../../../schemas/atoms.ts';
import { GRADED, withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';

const PictureQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(namesOf(FORMATS), { default: 'png' })),
    ...sizeParameters,
    ...profileParameter,
    v: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Any value. A new one makes browsers show a changed picture in an open page.',
      }),
    ),
  },
  strict,
);

/** Returns the etag of a file: a WebP has other bytes than the PNG it is made from. */
const etagFor = (sketch: Sketch, format: FileFormat): string =>
  etagOf(format === 'webp' ? `webp-${pictureKey(sketch)}` : pictureKey(sketch));

/** Adds the route that draws a saved code again. */
export const pictureRoute = ofAccount(
  { tag: 'Codes', name: 'picture' },
  (route, { database, freeWork, redraw, webp }: Need<'database' | 'freeWork' | 'redraw' | 'webp'>) => {
    const toWebp = async (png: Uint8Array, accountId: string): Promise<Uint8Array> => {
      const timings = noTimings();
      const bytes = await webp.write(png, accountId, timings);
      freeWork.spend(accountId, timings.drawnMs);
      return bytes;
    };

    route('GET /codes/:id/image', {
      operationId: 'getCodeImage',
      evenOverdrawn: 'a 304 and a picture from the cache are free; drawing is refused',
      summary: 'The picture of a code, drawn again from the saved design; free of charge',
      description:
        'At the saved width the PNG has the same bytes as the first one. Drawing counts as free work of the account; a `304` does not.',
      params: IdParams,
      querystring: PictureQuery,
      answer: withHeaders(
        describeBytes('The picture.', ...PICTURE_TYPES),
        'ETag',
        'Cache-Control',
        ...GRADED,
        'Content-Disposition',
        'Tessera-Captions',
        'Tessera-Size-Mm',
      ),
      answers: { 304: withHeaders(NotModified, 'ETag', 'Cache-Control') },
      options: { preValidation: createProfileHook(database.sql) },
      handle: async (request, { accountId }, reply) => {
        const { id } = request.params;
        const { format = 'png', v: _, profile: __, ...sized } = request.query;
        const { widthPx, print } = okOrThrow(toFileSize(sized, CODE_NAMES), refuseSketch);
        const code = await requireCode(database.sql, accountId, id);
        const sketch = okOrThrow(redraw.sketch(code, format, widthPx, print), refuseSketch);

        const etag = etagFor(sketch, format);
        // Caches must revalidate each time, because the code may be deleted, or the address of short links may change.
        reply
          .type(FORMATS[format].mediaType)
          .header('etag', etag)
          .header('cache-control', 'private, no-cache');
        if (isKnownTo(request, etag)) return reply.code(304).send(null);

        freeWork.admit(accountId);
        const timings = noTimings();
        const drawn = await redraw.draw(accountId, sketch, timings);
        const picture = format === 'webp' ? await toWebp(drawn.bytes, accountId) : drawn.bytes;
        sendTimings(reply, timings);
        sendGrade(reply, drawn);
        sendSizeMm(reply, sketch);
        sendLost(reply, drawn.lost);
        return sendPicture(reply, { format, name: code.name ?? (codeWords(code) || id), bytes: picture });
      },
    });
  },
);
