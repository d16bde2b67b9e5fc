import Type, { type Static } from 'typebox';
import { namesOf } from '../../../../workers/lists.ts';
import type { Sql } from '../../../db/client.ts';
import { scanBreakdowns } from '../../../db/tables/scans/breakdowns.ts';
import { BREAKDOWNS, type Breakdown as Name, OTHER } from '../../../lists.ts';
import { orNull } from '../../../stored-json.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireLink } from '../../auth/require-found.ts';
import { SlugParams } from '../../schemas/atoms.ts';
import { ABOUT_SCANS, readSeries, ScansQuery, SeriesBody, scanCounts } from '../../schemas/scans.ts';
import type { Need } from '../services.ts';

const Breakdown = Type.Array(
  Type.Object(
    {
      value: orNull(
        Type.String({ description: `null: the value is not known. ${OTHER}: all values without a row.` }),
      ),
      ...scanCounts,
    },
    { title: 'ScanGroup' },
  ),
);

const forEach = <T>(make: (name: Name) => T) =>
  Object.fromEntries(namesOf(BREAKDOWNS).map((name) => [name, make(name)])) as Record<Name, T>;

/** The scans of one link, or of what has a slug for its scans too. */
export const ScansBody = Type.Object(
  {
    slug: Type.String(),
    ...SeriesBody.properties,
    breakdowns: Type.Object(forEach(() => Breakdown)),
  },
  { title: 'LinkScans' },
);

/** Returns the scans that are kept under a slug. @param slug How it is called. @throws {AppError} As `readSeries`. */
export const readScans = async (
  sql: Sql,
  query: Static<typeof ScansQuery>,
  { slug, firstSlug }: { readonly slug: string; readonly firstSlug: string },
) => {
  const { span, body } = await readSeries(sql, query, { slug: firstSlug });
  const breakdowns = await scanBreakdowns(sql, { slug: firstSlug, ...span });
  return { slug, ...body, breakdowns: forEach((name) => breakdowns[name].map((row) => ({ ...row }))) };
};

/** Adds the routes that read the scans of one short link, and of all together. */
export const scansRoutes = ofAccount(
  { tag: 'Links', name: 'scans' },
  (route, { database }: Need<'database'>) => {
    const { sql } = database;

    route('GET /links/:slug/scans', {
      operationId: 'getLinkScans',
      summary: 'The scans of a short link, over time and broken down',
      description: ABOUT_SCANS,
      params: SlugParams,
      querystring: ScansQuery,
      answer: ScansBody,
      handle: async ({ params, query }, { accountId }) =>
        readScans(sql, query, await requireLink(sql, accountId, params.slug)),
    });

    route('GET /scans', {
      operationId: 'getScans',
      summary: 'The scans of all your short links together',
      description: 'Counted as in `getLinkScans`, with those of links that were deleted since.',
      querystring: ScansQuery,
      answer: SeriesBody,
      handle: async ({ query }, { accountId }) => (await readSeries(sql, query, { accountId })).body,
    });
  },
);
