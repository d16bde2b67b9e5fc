/** What the options for all rows say about their data, for an account with its counters. */
import { contentOfTable, type TableContent } from '../../../../batches/receive/columns.ts';
import { type Counters, isOwnText, planContent } from '../../../../batches/rows/content.ts';
import type { BatchOptions } from '../../../../batches/rows/schema.ts';
import type { Sql } from '../../../../db/client.ts';
import { type Counter, listCounters } from '../../../../db/tables/batches/counters.ts';
import { type ErrorCode, fieldError } from '../../../../errors.ts';

/** What is read from validated options. */
export interface SettledContent {
  /** The names in templates that are counters, each with the name of the counter. */
  readonly counters: Counters;
  /** What a table with such rows must have. */
  readonly table: TableContent;
  /** The account's counters; empty where no template names anything. */
  readonly known: readonly Counter[];
}

/** A name is a counter if the options say so, or if it is not a field of the row and the account has that counter. */
const resolve = (
  names: readonly string[],
  said: Counters,
  known: readonly Counter[],
  code: ErrorCode,
): Counters => {
  const has = (name: string): boolean => known.some((counter) => counter.name === name);
  for (const [name, counter] of Object.entries(said))
    if (!has(counter))
      throw fieldError(
        `Design.counters.${name}`,
        `you have no counter "${counter}"; make it with PUT /api/v1/counters/${counter}`,
        code,
      );
  const own = names.filter((name) => !isOwnText(name) && has(name)).map((name) => [name, name] as const);
  return { ...Object.fromEntries(own), ...said };
};

/**
 * Reads what the options for all rows say about their data.
 *
 * @param code The error code for the part of the request that holds the options.
 * @throws {AppError} 400.
 */
export const settleContent = async (
  sql: Sql,
  accountId: string,
  design: object,
  code: ErrorCode,
): Promise<SettledContent> => {
  const options = design as BatchOptions;
  const plan = planContent(options);
  if (!plan.ok) throw fieldError(`Design.${plan.fault.field}`, plan.fault.message, code);
  const { names } = plan.value;
  const known = names.length === 0 ? [] : await listCounters(sql, accountId);
  const counters = resolve(names, options.counters ?? {}, known, code);
  const isGs1 = options.qrOptions?.gs1 !== undefined;
  return { counters, table: contentOfTable(plan.value, isGs1, counters), known };
};
