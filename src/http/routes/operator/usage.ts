import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import type { Accounts } from '../../../accounts/accounts.ts';
import { csvLines } from '../../../csv/write.ts';
import type { Sql } from '../../../db/client.ts';
import type { Database } from '../../../db/database.ts';
import { type AccountUsageRow, eachAccountUsage, type UsageSpan } from '../../../db/tables/usage.ts';
import { attachment } from '../../files/attachment.ts';
import { bytes, errors, IdParams } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import {
  readUsage,
  toCountsBody,
  UsageHistoryBody,
  UsageQuery,
  UsageReportQuery,
} from '../../schemas/usage.ts';
import { intervalsIn, readSpan } from '../../schemas/usage-span.ts';
import { found } from './found.ts';

/** A connection that is idle for so long is cut. */
const STALL_TIMEOUT_MS = 90_000;

const COUNTS = ['calls', 'units', 'monthly', 'credits', 'refunded', 'refunded_late'] as const;
const COLUMNS = ['account_id', 'name', 'plan', 'from', ...COUNTS];

const toCells = ({ id, name, plan, start, ...counted }: AccountUsageRow) => {
  const counts = toCountsBody(counted);
  return [id, name, plan, start.toISOString(), ...COUNTS.map((column) => counts[column])];
};

/** Yields the lines of the report; the first ones when the database has answered. */
async function* report(sql: Sql, span: UsageSpan): AsyncGenerator<string, void> {
  let header = [COLUMNS];
  for await (const rows of eachAccountUsage(sql, span, intervalsIn(span))) {
    const lines = [...header, ...rows.map(toCells)];
    header = [];
    if (lines.length > 0) yield csvLines(lines);
  }
}

const sendHeaders = (reply: FastifyReply, { from }: UsageSpan): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment(`usage ${from.toISOString().slice(0, 10)}`, 'csv'))
    .header('cache-control', 'private, no-store');

/** Adds the operator's routes that read what was used over time, by one account and by all. */
export const adminUsageRoutes =
  ({
    accounts,
    database: { sql },
  }: {
    readonly accounts: Accounts;
    readonly database: Database;
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/accounts/:id/usage',
      {
        schema: {
          operationId: 'getAccountUsageHistory',
          summary: 'What an account used by hour, day or month, and by key or kind of call',
          description: 'Figures are counted as in `getUsageHistory`.',
          params: IdParams,
          querystring: UsageQuery,
          response: { 200: UsageHistoryBody, ...errors(400, 401, 404, 429, 503) },
        },
      },
      async (request) => {
        const { id } = found(await accounts.find(request.params.id));
        return readUsage(sql, id, request.query);
      },
    );

    const reportOptions = {
      schema: {
        operationId: 'getUsageReport',
        summary: 'What all accounts used by hour, day or month, as CSV',
        description: `The columns are ${COLUMNS.join(', ')}. There is a row for each account and interval with usage, the oldest account first. \`plan\` is the present one. Figures are counted as in \`getUsageHistory\`. The report is made while it is sent; if it cannot be finished, the connection is cut.`,
        querystring: UsageReportQuery,
        response: {
          200: withHeaders(bytes('The report.', 'text/csv'), 'Cache-Control', 'Content-Disposition'),
          ...errors(400, 401, 429, 503),
        },
      },
      exposeHeadRoute: false,
    };
    const spanOf = ({ interval = 'month', ...query }: Static<typeof UsageReportQuery>) =>
      readSpan({ ...query, interval }, new Date());

    app.get('/usage', reportOptions, async (request, reply) => {
      const span = spanOf(request.query);
      const lines = Readable.from(report(sql, span));
      // A database that fails now is a 503, and no half of a report.
      await once(lines, 'readable');
      reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy());
      return sendHeaders(reply, span).send(lines);
    });

    app.head('/usage', reportOptions, async (request, reply) =>
      sendHeaders(reply, spanOf(request.query)).send(),
    );
  };
