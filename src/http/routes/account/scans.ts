import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type BreakdownRow, scanBreakdowns } from '../../../db/tables/scans/breakdowns.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { ownLink } from '../../auth/owned.ts';
import { errors, KEY_ERRORS, orNull, SlugParams } from '../../schemas/atoms.ts';
import { ABOUT_SCANS, readSeries, ScansQuery, SeriesBody, scanCounts } from '../../schemas/scans.ts';

const Breakdown = Type.Array(
  Type.Object(
    { value: orNull(Type.String({ description: 'null: the value is not known.' })), ...scanCounts },
    { title: 'ScanGroup' },
  ),
);

const ScansBody = Type.Object(
  {
    slug: Type.String(),
    ...SeriesBody.properties,
    breakdowns: Type.Object({
      device: Breakdown,
      os: Breakdown,
      browser: Breakdown,
      country: Breakdown,
      referrer_host: Breakdown,
    }),
  },
  { title: 'LinkScans' },
);

const toRows = (rows: readonly BreakdownRow[]) => rows.map((row) => ({ ...row }));

/** Adds the routes that read the scans of one short link, and of all together. */
export const scansRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Links', account);
    const { sql } = database;
    const config = { name: 'scans' };

    app.get(
      '/links/:slug/scans',
      {
        config,
        schema: {
          operationId: 'getLinkScans',
          summary: 'The scans of a short link, over time and by device, country and referrer',
          description: ABOUT_SCANS,
          params: SlugParams,
          querystring: ScansQuery,
          response: { 200: ScansBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { slug, firstSlug } = await ownLink(sql, principalOf(request).accountId, request.params.slug);
        const { span, body } = await readSeries(sql, request.query, { slug: firstSlug });
        const breakdowns = await scanBreakdowns(sql, { slug: firstSlug, ...span });
        return {
          slug,
          ...body,
          breakdowns: {
            device: toRows(breakdowns.device),
            os: toRows(breakdowns.os),
            browser: toRows(breakdowns.browser),
            country: toRows(breakdowns.country),
            referrer_host: toRows(breakdowns.referrer_host),
          },
        };
      },
    );

    app.get(
      '/scans',
      {
        config,
        schema: {
          operationId: 'getScans',
          summary: 'The scans of all your short links together',
          description: 'Counted as in `getLinkScans`; deleted links are left out.',
          querystring: ScansQuery,
          response: { 200: SeriesBody, ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        return (await readSeries(sql, request.query, { accountId })).body;
      },
    );
  };
