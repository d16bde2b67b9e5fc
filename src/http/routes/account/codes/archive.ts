import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { eachChosenCode, hasCodes } from '../../../../db/tables/code-lists/chosen.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { mustBeOwned } from '../../../auth/owned.ts';
import { BODY_ERRORS, bytes, errors, KEY_ERRORS } from '../../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes, idsOf } from '../../../schemas/code.ts';
import { withHeaders } from '../../../schemas/openapi-headers.ts';
import {
  ARCHIVE_PAGE,
  ArchiveQuery,
  type ArchiveRouteParts,
  filesOf,
  refuseImpossible,
  sendArchive,
} from '../archive.ts';

/** Adds the route that streams chosen codes as a ZIP. */
export const codesArchiveRoute =
  ({ database, freeWork, openArchive, redraw, ...account }: ArchiveRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);

    app.post(
      '/codes/archive',
      {
        config: { name: 'archive' },
        bodyLimit: CHOSEN_BODY_BYTES,
        schema: {
          operationId: 'getCodesArchive',
          summary: 'Codes as a ZIP, as that of a folder',
          description: 'In the order in which the codes were made.',
          querystring: ArchiveQuery,
          body: ChosenCodes,
          response: {
            200: withHeaders(
              bytes('The archive.', 'application/zip'),
              'Cache-Control',
              'Content-Disposition',
            ),
            ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const files = filesOf(request.query);
        const ids = idsOf(request.body);
        mustBeOwned('code', await hasCodes(database.sql, accountId, ids));
        const codes = () => eachChosenCode(database.sql, accountId, ids, ARCHIVE_PAGE);
        await refuseImpossible(redraw, codes, files);
        freeWork.admit(accountId);
        return sendArchive(reply, 'codes', openArchive({ accountId, codes, files }));
      },
    );
  };
