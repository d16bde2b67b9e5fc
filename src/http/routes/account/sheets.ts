import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { eachCode, largestCodes } from '../../../db/tables/codes.ts';
import { fieldError } from '../../../errors.ts';
import type { FolderSheets } from '../../../sheets/folder-sheets.ts';
import { pagesFor } from '../../../sheets/grid.ts';
import { MODULE_LEAST_MM } from '../../../sheets/module-size.ts';
import { SheetsRequest } from '../../../sheets/request.ts';
import { resolveSheet, type Sheet } from '../../../sheets/sheet.ts';
import { principalOf } from '../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../auth/of-account.ts';
import { ownFolder } from '../../auth/owned.ts';
import { attachment } from '../../files/attachment.ts';
import { BODY_ERRORS, bytes, errors, IdParams, KEY_ERRORS } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';

/** What the route of sheets needs. */
export interface SheetsRouteParts extends CostlyParts {
  readonly folderSheets: FolderSheets;
}

/** Codes that are read in one query. */
const PAGE = 200;
/** A connection that is idle for so long is cut, because its document occupies a place. */
const STALL_TIMEOUT_MS = 90_000;
/** A document remembers something of each page until its end. */
const PAGES_MAX = 50_000;

/** @throws {AppError} 400 when there is nothing to print, or too much. */
const countPages = ({ grid, startAt, copies }: Sheet, codes: number): number => {
  if (codes === 0) throw fieldError('id', 'this folder has no codes', 'invalid_params');
  const pages = pagesFor(grid, codes * copies, startAt);
  if (pages <= PAGES_MAX) return pages;
  throw fieldError('copies', `this makes ${pages} pages, and a document has ${PAGES_MAX} at most`);
};

/** Adds the route that streams a folder as sheets of labels. */
export const sheetsRoute =
  ({ database, freeWork, folderSheets, ...account }: SheetsRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);
    const { sql } = database;

    const options = {
      config: { name: 'sheets' },
      schema: {
        operationId: 'createSheets',
        summary: 'A folder as sheets of labels to print; free of charge',
        description:
          '`Tessera-Warnings` says `small-modules` when the longest code has modules below 0.33 mm. If the document cannot be finished, the connection is cut.',
        params: IdParams,
        body: SheetsRequest,
        response: {
          200: withHeaders(
            bytes('The document.', 'application/pdf'),
            ...(['Cache-Control', 'Content-Disposition', 'Tessera-Pages', 'Tessera-Warnings'] as const),
          ),
          ...errors(...BODY_ERRORS, 404, ...KEY_ERRORS),
        },
      },
    };

    app.post('/folders/:id/sheets', options, async (request, reply) => {
      const { accountId } = principalOf(request);
      const { id } = request.params;
      const sheet = resolveSheet(request.body);
      if (!sheet.ok) throw fieldError(sheet.fault.field, sheet.fault.message);
      const folder = await ownFolder(sql, accountId, id);
      const pages = countPages(sheet.value, folder.codeCount);
      freeWork.admit(accountId);
      const largest = await largestCodes(sql, accountId, id);
      const smallestMm = folderSheets.smallestModuleMm(sheet.value, largest);
      const document = folderSheets.open({
        accountId,
        title: folder.name,
        sheet: sheet.value,
        codes: eachCode(sql, accountId, id, PAGE),
      });
      reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
      if (smallestMm !== null && smallestMm < MODULE_LEAST_MM) {
        void reply.header('tessera-warnings', `small-modules;v=${smallestMm.toFixed(2)}`);
      }
      return reply
        .type('application/pdf')
        .header('content-disposition', attachment(folder.name, 'pdf'))
        .header('cache-control', 'private, no-store')
        .header('tessera-pages', String(pages))
        .send(document);
    });
  };
