import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { csvLines } from '../../../csv/write.ts';
import type { Sql } from '../../../db/client.ts';
import {
  type AccountUsageRow,
  eachAccountUsage,
  type UsageSpan,
  usageKeptSince,
} from '../../../db/tables/accounts/usage.ts';
import { sendFileHeaders } from '../../files/attachment.ts';
import { sendStream } from '../../files/streams.ts';
import { describeBytes, IdParams } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import {
  intervalsIn,
  readSpan,
  readUsage,
  requireKept,
  toCountsBody,
  UsageHistoryBody,
  UsageQuery,
  UsageReportQuery,
} from '../../schemas/usage.ts';
import { routesOf } from '../route.ts';
import type { Services } from '../services.ts';
import { OF_OPERATOR, requireAccount } from './accounts.ts';

const COUNTS = [
  ...(['calls', 'units', 'monthly', 'credits', 'refunded', 'refunded_late'] as const),
  ...(['load_test_calls', 'load_test_units'] as const),
];
const COLUMNS = ['account_id', 'name', 'plan', 'from', ...COUNTS];

const toCells = ({ id, name, plan, start, ...counted }: AccountUsageRow) => {
  const counts = toCountsBody(counted);
  return [id, name, plan, start.toISOString(), ...COUNTS.map((column) => counts[column])];
};

/**
 * Yields the lines of the report; the first ones once the database has answered. It fails also when usage of the span was
 * summed up meanwhile.
 */
async function* writeReport(sql: Sql, span: UsageSpan): AsyncGenerator<string, void> {
  let header = [COLUMNS];
  for await (const rows of eachAccountUsage(sql, span, intervalsIn(span))) {
    const lines = [...header, ...rows.map(toCells)];
    header = [];
    if (lines.length > 0) yield csvLines(lines);
  }
  requireKept(span, await usageKeptSince(sql));
}

const sendHeaders = (reply: FastifyReply, { from }: UsageSpan): FastifyReply =>
  sendFileHeaders(reply, 'text/csv; charset=utf-8', `usage ${from.toISOString().slice(0, 10)}`, 'csv');

/** Adds the operator's routes that read what was used over time, by one account and by all. */
export const adminUsageRoutes =
  ({ accounts, database: { sql } }: Pick<Services, 'accounts' | 'database'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const route = routesOf(app, 'admin', OF_OPERATOR);

    route('GET /accounts/:id/usage', {
      operationId: 'getAccountUsageHistory',
      summary: 'Usage of an account by hour, day or month, and by key or kind of call',
      description: 'Figures are counted as in `getUsageHistory`.',
      params: IdParams,
      querystring: UsageQuery,
      answer: UsageHistoryBody,
      handle: async ({ params, query }) =>
        readUsage(sql, requireAccount(await accounts.find(params.id)).id, query),
    });

    const report = {
      operationId: 'getUsageReport',
      summary: 'Usage of all accounts by hour, day or month, as CSV',
      description: `The columns are ${COLUMNS.join(', ')}. There is a row for each account and interval with usage, the oldest account first. \`plan\` is the current one. Figures are counted as in \`getUsageHistory\`, and a \`from\` before usage is kept is refused. The report is streamed; if it cannot be completed, the connection is aborted.`,
      querystring: UsageReportQuery,
      answer: withHeaders(describeBytes('The report.', 'text/csv'), 'Cache-Control', 'Content-Disposition'),
      options: { exposeHeadRoute: false },
    };
    const spanOf = async ({ interval = 'month', ...query }: Static<typeof UsageReportQuery>) => {
      const span = readSpan({ ...query, interval }, new Date());
      requireKept(span, await usageKeptSince(sql));
      return span;
    };

    route('GET /usage', {
      ...report,
      handle: async ({ query }, _, reply) => {
        const span = await spanOf(query);
        const head = () => void sendHeaders(reply, span);
        return sendStream(reply, writeReport(sql, span), { isWhole: true, head });
      },
    });

    route('HEAD /usage', {
      ...report,
      handle: async ({ query }, _, reply) => sendHeaders(reply, await spanOf(query)).send(),
    });
  };
