import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { namesOf, SHEET_FORMATS } from '../../../../workers/lists.ts';
import { FOLDER_NAMES } from '../../../csv/caption.ts';
import { eachChosenCode, findLargestChosen } from '../../../db/tables/codes/chosen.ts';
import { eachCode, findLargestCodes, type StoredCode } from '../../../db/tables/codes/codes.ts';
import { fieldError } from '../../../errors.ts';
import { pagesFor } from '../../../sheets/grid.ts';
import { MODULE_LEAST_MM } from '../../../sheets/label.ts';
import { SheetsRequest } from '../../../sheets/request.ts';
import { resolveSheet, type Sheet } from '../../../sheets/sheet.ts';
import { listIndexes } from '../../answer-headers.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder } from '../../auth/require-found.ts';
import { acceptedType, sendFileHeaders } from '../../files/attachment.ts';
import { enterStreams, sendStream } from '../../files/streams.ts';
import { describeBytes, IdParams, strict } from '../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, chosenFields, EXAMPLE_ID } from '../../schemas/code.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need, Services } from '../services.ts';
import { tellUnfinished } from './codes/lists.ts';
import { requireCodeIds } from './codes/many.ts';

/** Codes that are read in one query. */
const PAGE = 200;
/** A document keeps some data of each page in memory until its end. */
const PAGES_MAX = 50_000;

/** @throws {AppError} 400 when there is nothing to print, or too much. */
const countPages = ({ grid, startAt, copies }: Sheet, codes: number): number => {
  if (codes === 0) throw fieldError('id', 'this folder has no codes', 'invalid_params');
  const pages = pagesFor(grid, codes * copies, startAt);
  if (pages <= PAGES_MAX) return pages;
  throw fieldError('copies', `this makes ${pages} pages, but a document may have at most ${PAGES_MAX}`);
};

/** Codes to be printed. */
interface Printed {
  readonly accountId: string;
  /** The title of the document, and the name of its file. */
  readonly title: string;
  readonly sheet: Sheet;
  /** How many codes there are now. */
  readonly count: number;
  readonly largest: readonly StoredCode[];
  codes(): AsyncIterable<StoredCode>;
  /** Which of the codes get labels, for a reprint of some; absent: all. */
  readonly range?: { readonly from: number; readonly to: number };
}

/** The answer of calls for sheets. */
const DOCUMENT = [
  ...(['Cache-Control', 'Content-Disposition', 'Tessera-Pages', 'Tessera-Captions'] as const),
  ...(['Tessera-Missing-Codes', 'Tessera-Warnings'] as const),
] as const;

const MEDIA_TYPES = Object.values(SHEET_FORMATS).map(({ mediaType }) => mediaType);

const ANSWER = describeBytes(
  'The document, in the format that `Accept` prefers: a PDF, or ZPL II or EPL2 for label printers, which need `dpi`.',
  ...MEDIA_TYPES,
);

/** @throws {AppError} 400 for a request that says nothing that can be printed, 406 when `Accept` allows no format. */
const sheetOf = ({ headers }: Pick<FastifyRequest, 'headers'>, request: SheetsRequest): Sheet => {
  const type = acceptedType(headers.accept, MEDIA_TYPES);
  const format = namesOf(SHEET_FORMATS).find((each) => SHEET_FORMATS[each].mediaType === type)!;
  const sheet = resolveSheet(request, FOLDER_NAMES, format);
  if (!sheet.ok) throw fieldError(sheet.fault.field, sheet.fault.message);
  return sheet.value;
};

/** Sends a document with labels. @throws {AppError} 400 when it cannot be printed. */
const print = async (
  folderSheets: Services['folderSheets'],
  reply: FastifyReply,
  { count, largest, ...source }: Printed,
): Promise<FastifyReply> => {
  const { sheet, title } = source;
  const pages = countPages(sheet, count);
  const smallestMm = folderSheets.smallestModuleMm(sheet, largest);
  const place = await enterStreams(reply.request, 'sheets');
  const { file, lost, missing, warnings, edited } = await folderSheets
    .open(source)
    .catch((error: unknown) => {
      place.leave();
      throw error;
    });
  if (lost.cut + lost.glyphs > 0) {
    void reply.header('tessera-captions', `cut=${lost.cut}, glyphs=${lost.glyphs}`);
  }
  if (lost.codes > 0) void reply.header('tessera-missing-codes', listIndexes(lost.codes, missing));
  if (source.range !== undefined && edited.length > 0)
    void reply.header('tessera-edited-codes', listIndexes(edited.length, edited));
  const isSmall = smallestMm !== null && smallestMm < MODULE_LEAST_MM;
  const told = [...warnings, ...(isSmall ? [`small-modules;v=${smallestMm.toFixed(2)}`] : [])];
  if (told.length > 0) void reply.header('tessera-warnings', told.join(', '));
  const { format } = sheet;
  sendFileHeaders(reply, SHEET_FORMATS[format].mediaType, title, format)
    .header('vary', 'Accept')
    .header('tessera-pages', String(pages));
  return sendStream(reply, file, { place });
};

const Index = Type.Integer({ minimum: 1 });

const FolderSheetsRequest = Type.Object(
  {
    ...SheetsRequest.properties,
    from: Type.Optional({ ...Index, description: 'The first code, by its `{index}` in the folder.' }),
    to: Type.Optional(Index),
  },
  { ...strict, title: 'SheetsRequest', examples: [{ template: 'avery-l7160', from: 1 }] },
);

/** Returns the codes that get labels. @throws {AppError} 400 */
const rangeOf = (from: number, to: number, codes: number) => {
  if (codes === 0) return { range: { from, to }, count: 0 };
  for (const [field, index] of Object.entries({ from, to }))
    if (index > codes) throw fieldError(field, `must be at most ${codes}, the last code of the folder`);
  if (to < from) throw fieldError('to', `must be at least from, which is ${from}`);
  return { range: { from, to }, count: to - from + 1 };
};

/** Adds the route that streams a folder as sheets of labels. */
export const sheetsRoute = ofAccount(
  { tag: 'Folders', name: 'sheets' },
  (route, { database: { sql }, folderSheets }: Need<'database' | 'folderSheets'>) => {
    route('POST /folders/:id/sheets', {
      operationId: 'createSheets',
      isSafe: true,
      summary: 'A folder as printable label sheets; free of charge',
      description:
        '`Tessera-Warnings` has `small-modules` if the longest code has modules below 0.33 mm, and for label printers what gives any code less than grade 4. If the document cannot be completed, the connection is aborted.',
      params: IdParams,
      body: FolderSheetsRequest,
      answer: withHeaders(ANSWER, ...DOCUMENT, 'Tessera-Unfinished-Batches', 'Tessera-Edited-Codes'),
      fails: [406],
      handle: async (request, { accountId }, reply) => {
        const { id } = request.params;
        const { from, to, ...asked } = request.body;
        const sheet = sheetOf(request, asked);
        const folder = await requireFolder(sql, accountId, id);
        const isPart = from !== undefined || to !== undefined;
        const part = isPart ? rangeOf(from ?? 1, to ?? folder.codeCount, folder.codeCount) : {};
        await tellUnfinished(sql, reply, accountId, folder.id);
        return print(folderSheets, reply, {
          ...{ accountId, sheet, title: folder.name, count: folder.codeCount },
          ...part,
          largest: await findLargestCodes(sql, accountId, id),
          codes: () => eachCode(sql, accountId, id, PAGE),
        });
      },
    });
  },
);

const ChosenSheetsRequest = Type.Object(
  { ...chosenFields, ...SheetsRequest.properties },
  {
    ...strict,
    title: 'CodesSheetsRequest',
    examples: [{ ids: [EXAMPLE_ID], template: 'avery-l7160' }],
  },
);

/** Adds the route that streams chosen codes as sheets of labels. */
export const codesSheetsRoute = ofAccount(
  { tag: 'Codes', name: 'sheets' },
  (route, { database: { sql }, folderSheets }: Need<'database' | 'folderSheets'>) => {
    route('POST /codes/sheets', {
      operationId: 'createCodesSheets',
      isSafe: true,
      summary: 'Codes as printable label sheets; free of charge',
      description: 'In the order in which they were made.',
      body: ChosenSheetsRequest,
      answer: withHeaders(ANSWER, ...DOCUMENT),
      fails: [404, 406],
      options: { bodyLimit: CHOSEN_BODY_BYTES },
      handle: async (request, { accountId }, reply) => {
        const { ids: named, tag, ...asked } = request.body;
        const sheet = sheetOf(request, asked);
        const chosen = { ...(named !== undefined && { ids: named }), ...(tag !== undefined && { tag }) };
        const ids = await requireCodeIds(sql, accountId, chosen);
        return print(folderSheets, reply, {
          ...{ accountId, sheet, title: 'codes', count: ids.length },
          largest: await findLargestChosen(sql, accountId, ids),
          codes: () => eachChosenCode(sql, accountId, ids, PAGE),
        });
      },
    });
  },
);
