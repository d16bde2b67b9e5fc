import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { hasCodes } from '../../../../db/tables/code-lists/chosen.ts';
import { type OfAccount, recentScans } from '../../../../db/tables/scans/recent.ts';
import { withTimeLimit } from '../../../../db/tables/search.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount, type SearchParts } from '../../../auth/of-account.ts';
import { mustBeOwned, ownFolder } from '../../../auth/owned.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS, Timestamp } from '../../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes, idsOf } from '../../../schemas/code.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** A folder of a hundred thousand scanned links takes about a second. */
const TIMEOUT_MS = 5000;

const SummaryBody = Type.Object(
  {
    links: Type.Integer({ description: 'Short links that work.' }),
    people: Type.Integer(),
    bots: Type.Integer(),
    previews: Type.Integer(),
    from: Timestamp,
    to: Timestamp,
  },
  { title: 'LinksSummary' },
);

/** Adds the routes that say what a deletion would stop. */
export const linksSummaryRoutes =
  ({ database: { sql }, freeWork, searches, ...account }: SearchParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const config = { name: 'codes' };

    const summaryOf = async (which: OfAccount, reply: FastifyReply) => {
      const to = new Date();
      const from = new Date(to.getTime() - DAYS * DAY_MS);
      const { links, people, bots, previews } = await searches.run(which.accountId, reply, () =>
        freeWork.measure(which.accountId, () =>
          withTimeLimit(sql, TIMEOUT_MS, (tx) => recentScans(tx, which, { from, to })),
        ),
      );
      return { links, people, bots, previews, from: from.toISOString(), to: to.toISOString() };
    };

    app.get(
      '/folders/:id/links-summary',
      {
        config,
        schema: {
          operationId: 'getFolderLinksSummary',
          summary: 'The short links of a folder: how many work, and their scans in the last 30 days',
          params: IdParams,
          response: { 200: SummaryBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { id: folderId } = await ownFolder(sql, accountId, request.params.id);
        return summaryOf({ accountId, folderId }, reply);
      },
    );

    app.post(
      '/codes/links-summary',
      {
        config,
        bodyLimit: CHOSEN_BODY_BYTES,
        schema: {
          operationId: 'getLinksSummary',
          summary: 'The short links of codes: how many work, and their scans in the last 30 days',
          body: ChosenCodes,
          response: { 200: SummaryBody, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const ids = idsOf(request.body);
        mustBeOwned('code', await hasCodes(sql, accountId, ids));
        return summaryOf({ accountId, ids }, reply);
      },
    );
  };
