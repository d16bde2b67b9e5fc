/** The connection to ClickHouse, over HTTP, and what its errors mean. */
import { databaseFault } from '../db/faults.ts';

/** Values of a statement by their names: `{name:Type}` in its text. */
export type Parameters = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;

/** An open ClickHouse. What it throws while it is away or overloaded is a `DatabaseFault`. */
export interface ClickHouse {
  /** Returns the rows of a query. The server ends it after `READ_MAX_S`. */
  read<Row>(query: string, parameters?: Parameters): Promise<readonly Row[]>;
  /** Runs a statement that returns nothing. */
  run(statement: string, parameters?: Parameters): Promise<void>;
  /** Inserts rows as one block, which counts once however often it is inserted with the same token. */
  insert(table: string, rows: readonly object[], token: string): Promise<void>;
  /** Fails when it gives no answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The most that a query may take, as one of a report in Postgres. */
const READ_MAX_S = 3;
const ANSWER_MS = 10_000;
/** A mutation rewrites parts of tables. */
const STATEMENT_ANSWER_MS = 600_000;

/** Error codes of ClickHouse (ErrorCodes.cpp): too slow, or too much memory. */
const TOO_MUCH = ['159', '160', '241'];
/** Too many queries at a time. */
const BUSY = ['202'];
/** Errors of a statement, which is then a bug: syntax, unknown names, types. */
const OWN = ['27', '36', '42', '43', '46', '47', '50', '53', '62', '70', '386', '457'];

/** Turns an error of the client into a `DatabaseFault`, unless a statement of ours is wrong. */
const toFault = (error: unknown): unknown => {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  const told = `ClickHouse: ${message}`;
  if (code !== undefined && TOO_MUCH.includes(code)) return databaseFault('DATABASE_TIME_LIMIT', told, error);
  if (code !== undefined && BUSY.includes(code)) return databaseFault('DATABASE_BUSY', told, error);
  // Without a code of its own, the answer is missing. A retry inserts nothing twice.
  return code !== undefined && OWN.includes(code)
    ? error
    : databaseFault('DATABASE_UNAVAILABLE', told, error);
};

const failing = async <T>(run: Promise<T>): Promise<T> => {
  try {
    return await run;
  } catch (error) {
    throw toFault(error);
  }
};

/** Opens ClickHouse. Nothing is sent before the first statement. @param url With the user, the password and the database. */
export const openClickHouse = async (url: string): Promise<ClickHouse> => {
  // Loaded only where it is used.
  const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client');
  const client = createClient({
    url,
    request_timeout: STATEMENT_ANSWER_MS,
    use_multipart_params_auto: true,
    // Its errors are logged where they are handled.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return {
    read: <Row>(query: string, parameters: Parameters = {}) =>
      failing(
        client
          .query({
            query,
            query_params: parameters,
            format: 'JSONEachRow',
            clickhouse_settings: { max_execution_time: READ_MAX_S },
            abort_signal: AbortSignal.timeout(ANSWER_MS),
          })
          .then((result) => result.json<Row>()),
      ),
    run: async (query, parameters = {}) => {
      await failing(client.command({ query, query_params: parameters }));
    },
    insert: async (table, rows, token) => {
      await failing(
        client.insert({
          table,
          values: rows,
          format: 'JSONEachRow',
          abort_signal: AbortSignal.timeout(ANSWER_MS),
          clickhouse_settings: {
            async_insert: 0,
            insert_deduplicate: 1,
            insert_deduplication_token: token,
            deduplicate_blocks_in_dependent_materialized_views: 1,
          },
        }),
      );
    },
    ping: async () => {
      const answer = await client.ping({ select: true, abort_signal: AbortSignal.timeout(ANSWER_MS) });
      if (!answer.success) throw toFault(answer.error);
    },
    close: () => client.close(),
  };
};
