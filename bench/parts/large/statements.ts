/** The times of single statements, as the server measures them. */
import type postgres from 'postgres';
import { say } from '../../say.ts';
import { quantile } from '../../stats.ts';
import type { LargeRequest } from './requests.ts';

/** A statement, and the request in which it took the longest. */
export interface Statement {
  readonly request: string;
  readonly query: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A request, and who sends it. */
export interface SentRequest extends LargeRequest {
  readonly key: string;
  readonly of: string;
}

const send = async (gateway: string, { method, url, body, key }: SentRequest): Promise<void> => {
  const response = await fetch(gateway + url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (response.status >= 500) say(`${method} ${url} was answered with ${response.status}`);
};

/**
 * Sends all requests, one after the other, in each round. Of a statement that a request runs several times, its
 * slowest run is counted.
 */
export const measureStatements = async (
  sql: postgres.Sql,
  gateway: string,
  requests: readonly SentRequest[],
  rounds: number,
): Promise<readonly Statement[]> => {
  const times = new Map<
    string,
    { readonly request: string; readonly query: string; readonly ms: number[] }
  >();
  for (let round = 0; round < rounds; round += 1)
    for (const request of requests) {
      const name = `${request.of}: ${request.method} ${request.url}`;
      await sql`select pg_stat_statements_reset()`;
      await send(gateway, request);
      const rows = await sql<{ id: string; query: string; ms: number }[]>`
        select queryid::text as id, regexp_replace(query, '\\s+', ' ', 'g') as query, max_exec_time as ms
        from pg_stat_statements join pg_database on oid = dbid
        where datname = current_database() and query not like '%pg_stat_statements%'`;
      for (const { id, query, ms } of rows) {
        const key = `${name} ${id}`;
        const known = times.get(key) ?? { request: name, query, ms: [] };
        known.ms.push(ms);
        times.set(key, known);
      }
    }
  return [...times.values()].map(({ request, query, ms }) => ({
    request,
    query,
    p50Ms: quantile(ms, 0.5),
    p99Ms: quantile(ms, 0.99),
  }));
};
