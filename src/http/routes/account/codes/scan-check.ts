import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError, fieldError } from '../../../../errors.ts';
import { orNull } from '../../../../stored-json.ts';
import {
  type CheckedSymbol,
  type ScanReport,
  SYMBOL_RESULTS,
  UNREAD_LISTED,
} from '../../../../verify/scan-check.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireFolder } from '../../../auth/require-found.ts';
import { fieldsOf, IdParams, Uuid } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import type { Need } from '../../services.ts';
import { tellUnfinished } from './lists.ts';

/** A scan of A4 at 300 dpi takes 3 MB as JPEG, and 15 MB as PNG in colour. */
const PICTURE_MAX_BYTES = 24 * 1024 * 1024;
const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
/** Of a text that was read, or should have been. */
const SHOWN_CHARACTERS = 500;

const contentFields = {
  content: Type.String(),
  content_cut: Type.Boolean({ description: `Whether it has more than ${SHOWN_CHARACTERS} characters.` }),
};

const contentOf = (text: string) => {
  const characters = text.length > SHOWN_CHARACTERS ? Array.from(text) : [];
  const isCut = characters.length > SHOWN_CHARACTERS;
  return { content: isCut ? characters.slice(0, SHOWN_CHARACTERS).join('') : text, content_cut: isCut };
};

const namedFields = {
  id: Uuid,
  name: orNull(Type.String()),
  external_id: orNull(Type.String()),
};

const SymbolBody = Type.Object(
  {
    result: Type.Enum([...SYMBOL_RESULTS]),
    corners: Type.Array(Type.Array(Type.Number()), {
      description: 'Pixels from the left and the top, clockwise from its own top left.',
    }),
    content: orNull(contentFields.content),
    content_cut: contentFields.content_cut,
    code: orNull(Type.Object(namedFields, { title: 'ScannedCode' })),
  },
  { title: 'ScannedSymbol' },
);

const ScanCheckBody = Type.Object(
  {
    width: Type.Integer(),
    height: Type.Integer(),
    codes: Type.Integer({ description: 'Codes of the folder: `read` and `unread`.' }),
    read: Type.Integer(),
    unread: Type.Integer(),
    repeated: Type.Integer({ description: 'Further symbols of codes that were read.' }),
    wrong: Type.Integer({ description: 'Symbols that cannot be decoded.' }),
    foreign: Type.Integer({ description: 'Symbols of no code of the folder.' }),
    symbols: Type.Array(SymbolBody, { description: 'In rows from the top of the picture.' }),
    unread_codes: Type.Array(Type.Object({ ...namedFields, ...contentFields }, { title: 'UnreadCode' }), {
      description: `The first ${UNREAD_LISTED}: those between codes that were read, then others.`,
    }),
  },
  { title: 'ScanCheck' },
);

const toSymbolBody = ({ result, corners, text, code }: CheckedSymbol) => ({
  result,
  corners: corners.map((point) => [...point]),
  ...(text === null ? { content: null, content_cut: false } : contentOf(text)),
  code: code && fieldsOf(code, 'id', 'name', 'externalId'),
});

const toBody = ({ widthPx, heightPx, symbols, unread }: ScanReport, codes: number) => {
  const count = (wanted: CheckedSymbol['result']): number =>
    symbols.filter(({ result }) => result === wanted).length;
  const read = count('read');
  return {
    width: widthPx,
    height: heightPx,
    codes,
    read,
    unread: Math.max(0, codes - read),
    repeated: count('repeated'),
    wrong: count('wrong'),
    foreign: count('foreign'),
    symbols: symbols.map(toSymbolBody),
    unread_codes: unread.map(({ text, ...code }) => ({
      ...fieldsOf(code, 'id', 'name', 'externalId'),
      ...contentOf(text),
    })),
  };
};

const wrongType = (): AppError =>
  new AppError('unsupported_media_type', `Send the picture as ${MEDIA_TYPES.join(', ')}.`);

/** Adds the route that compares a scan or a photo of prints with a folder. */
export const scanCheckRoute = ofAccount(
  { tag: 'Folders', name: 'scan_check' },
  (route, { database: { sql }, scanCheck }: Need<'database' | 'scanCheck'>, app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser([...MEDIA_TYPES], (request: FastifyRequest, payload: IncomingMessage) =>
      app.receiveBytes(request, payload),
    );
    app.addContentTypeParser('*', (_request, _payload, done) => done(wrongType()));

    route('POST /folders/:id/scan-check', {
      operationId: 'checkScan',
      isSafe: true,
      summary: 'Read a scanned sheet or a photo, and compare it with a folder; free of charge',
      description:
        'At most 24 MiB, 25 million pixels and 500 symbols. Codes with the same text are taken in their order, one for each symbol.',
      params: IdParams,
      body: {
        content: Object.fromEntries(
          MEDIA_TYPES.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
        ),
      },
      answer: withHeaders(ScanCheckBody, 'Tessera-Unfinished-Batches'),
      options: { bodyLimit: PICTURE_MAX_BYTES, validatorCompiler: withoutBody(app) },
      handle: async ({ params, body }, { accountId }, reply) => {
        const picture: unknown = body;
        if (!Buffer.isBuffer(picture)) throw wrongType();
        const { id, codeCount } = await requireFolder(sql, accountId, params.id);
        if (picture.length === 0) throw fieldError('body', 'is empty: send a picture');
        await tellUnfinished(sql, reply, accountId, id);
        return toBody(await scanCheck({ accountId, folderId: id }, picture), codeCount);
      },
    });
  },
);
