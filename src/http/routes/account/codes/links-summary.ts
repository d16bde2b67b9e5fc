import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { countRecentScans, type OfAccount } from '../../../../db/tables/scans/recent.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireFolder } from '../../../auth/require-found.ts';
import { IdParams, Timestamp } from '../../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes } from '../../../schemas/code.ts';
import type { Need } from '../../services.ts';
import { requireCodeIds } from './require-codes.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
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

/** Adds the routes that report what a deletion would stop. */
export const linksSummaryRoutes = ofAccount(
  { tag: 'Codes', name: 'codes' },
  (route, { database: { sql }, searches }: Need<'database' | 'searches'>) => {
    const summarize = async (which: OfAccount, reply: FastifyReply) => {
      const to = new Date();
      const from = new Date(to.getTime() - DAYS * DAY_MS);
      const { links, people, bots, previews } = await searches.run(which.accountId, reply, (signal) =>
        countRecentScans(sql, which, { from, to }, signal),
      );
      return { links, people, bots, previews, from: from.toISOString(), to: to.toISOString() };
    };

    route('GET /folders/:id/links-summary', {
      operationId: 'getFolderLinksSummary',
      summary: 'The short links of a folder: how many work, and their scans in the last 30 days',
      description: 'What a deletion would stop. Scans by people, bots and previews are counted apart.',
      params: IdParams,
      answer: SummaryBody,
      handle: async ({ params }, { accountId }, reply) => {
        const { id: folderId } = await requireFolder(sql, accountId, params.id);
        return summarize({ accountId, folderId }, reply);
      },
    });

    route('POST /codes/links-summary', {
      operationId: 'getLinksSummary',
      isSafe: true,
      summary: 'The short links of codes: how many work, and their scans in the last 30 days',
      description:
        'Takes up to 1,000 codes, by their ids or by a tag. Scans by people, bots and previews are counted apart.',
      body: ChosenCodes,
      answer: SummaryBody,
      fails: [404],
      options: { bodyLimit: CHOSEN_BODY_BYTES },
      handle: async ({ body }, { accountId }, reply) => {
        const ids = await requireCodeIds(sql, accountId, body);
        return summarize({ accountId, ids }, reply);
      },
    });
  },
);
