import { eachCode, findLargestCodes } from '../../../db/tables/codes/codes.ts';
import { fieldError } from '../../../errors.ts';
import { FOLDER_NAMES } from '../../../sheets/caption.ts';
import { pagesFor } from '../../../sheets/grid.ts';
import { MODULE_LEAST_MM } from '../../../sheets/label.ts';
import { SheetsRequest } from '../../../sheets/request.ts';
import { resolveSheet, type Sheet } from '../../../sheets/sheet.ts';
import { toRanges } from '../../answer-headers.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder } from '../../auth/require-found.ts';
import { sendFileHeaders } from '../../files/attachment.ts';
import { enterStreams, sendStream } from '../../files/streams.ts';
import { describeBytes, IdParams } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';
import { tellUnfinished } from './codes/lists.ts';

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

const RANGES_MAX_CHARACTERS = 2000;

/** Returns how many codes are missing, and which, counted from 1: `3;indexes="12 40-41"`. A long list ends with `...`. */
const missingCodes = (count: number, indexes: readonly number[]): string => {
  const ranges = toRanges(indexes);
  const isWhole = ranges.length <= RANGES_MAX_CHARACTERS && indexes.length === count;
  const shown = isWhole ? ranges : `${ranges.slice(0, RANGES_MAX_CHARACTERS).replace(/\S*$/, '')}...`;
  return `${count};indexes="${shown}"`;
};

/** Adds the route that streams a folder as sheets of labels. */
export const sheetsRoute = ofAccount(
  { tag: 'Folders', name: 'sheets' },
  (route, { database, folderSheets }: Need<'database' | 'folderSheets'>) => {
    const { sql } = database;

    route('POST /folders/:id/sheets', {
      operationId: 'createSheets',
      isSafe: true,
      summary: 'A folder as printable label sheets; free of charge',
      description:
        '`Tessera-Warnings` has `small-modules` if the longest code has modules below 0.33 mm. If the document cannot be completed, the connection is aborted.',
      params: IdParams,
      body: SheetsRequest,
      answer: withHeaders(
        describeBytes('The document.', 'application/pdf'),
        ...([
          'Cache-Control',
          'Content-Disposition',
          'Tessera-Pages',
          'Tessera-Captions',
          'Tessera-Missing-Codes',
          'Tessera-Unfinished-Batches',
          'Tessera-Warnings',
        ] as const),
      ),
      handle: async ({ params: { id }, body }, { accountId }, reply) => {
        const sheet = resolveSheet(body, FOLDER_NAMES);
        if (!sheet.ok) throw fieldError(sheet.fault.field, sheet.fault.message);
        const folder = await requireFolder(sql, accountId, id);
        await tellUnfinished(sql, reply, accountId, folder.id);
        const pages = countPages(sheet.value, folder.codeCount);
        const codes = () => eachCode(sql, accountId, id, PAGE);
        const largest = await findLargestCodes(sql, accountId, id);
        const smallestMm = folderSheets.smallestModuleMm(sheet.value, largest);
        const place = await enterStreams(reply.request, 'sheets');
        const source = { accountId, title: folder.name, sheet: sheet.value, codes };
        const { pdf, lost, missing } = await folderSheets.open(source).catch((error: unknown) => {
          place.leave();
          throw error;
        });
        if (lost.cut + lost.glyphs > 0) {
          void reply.header('tessera-captions', `cut=${lost.cut}, glyphs=${lost.glyphs}`);
        }
        if (lost.codes > 0) void reply.header('tessera-missing-codes', missingCodes(lost.codes, missing));
        if (smallestMm !== null && smallestMm < MODULE_LEAST_MM) {
          void reply.header('tessera-warnings', `small-modules;v=${smallestMm.toFixed(2)}`);
        }
        sendFileHeaders(reply, 'application/pdf', folder.name, 'pdf').header('tessera-pages', String(pages));
        return sendStream(reply, pdf, { place });
      },
    });
  },
);
