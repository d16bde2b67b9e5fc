import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { OpenArchive } from '../../../archive/archive.ts';
import { eachCode } from '../../../db/tables/codes.ts';
import type { Folder } from '../../../db/tables/folders.ts';
import { attachment } from '../../attachment.ts';
import { principalOf } from '../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../auth/of-account.ts';
import { ownFolder } from '../../auth/owned.ts';
import { bytes, errors, IdParams, KEY_ERRORS } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';

/** What the archive route needs. */
export interface ArchiveRouteParts extends CostlyParts {
  readonly openArchive: OpenArchive;
}

/** Codes that are read in one query. */
const PAGE = 200;
/** A connection that is idle for so long is cut, because its archive occupies a place. */
const STALL_TIMEOUT_MS = 90_000;

/** Adds the route that streams a folder as a ZIP. */
export const archiveRoute =
  ({ database, freeWork, openArchive, ...account }: ArchiveRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);

    const options = {
      config: { name: 'archive' },
      schema: {
        operationId: 'getFolderArchive',
        summary: 'A folder as a ZIP: one PNG a code and manifest.csv',
        description:
          'The archive is made while it is sent. The manifest has index, content, slug, short_url, file, sha256, grade and warnings of each code; a code that can no longer be drawn has no file. If the archive cannot be finished, the connection is cut.',
        params: IdParams,
        response: {
          200: withHeaders(bytes('The archive.', 'application/zip'), 'Cache-Control', 'Content-Disposition'),
          ...errors(400, 404, ...KEY_ERRORS),
        },
      },
      exposeHeadRoute: false,
    };

    const sendHeaders = (reply: FastifyReply, folder: Folder): FastifyReply =>
      reply
        .type('application/zip')
        .header('content-disposition', attachment(folder.name, 'zip'))
        .header('cache-control', 'private, no-store');

    app.get('/folders/:id/archive', options, async (request, reply) => {
      const { accountId } = principalOf(request);
      const { id } = request.params;
      const folder = await ownFolder(database.sql, accountId, id);
      const codes = () => eachCode(database.sql, accountId, id, PAGE);
      freeWork.admit(accountId);
      const archive = openArchive({ accountId, codes });
      reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
      return sendHeaders(reply, folder).send(archive);
    });

    app.head('/folders/:id/archive', options, async (request, reply) => {
      const folder = await ownFolder(database.sql, principalOf(request).accountId, request.params.id);
      return sendHeaders(reply, folder).send();
    });
  };
