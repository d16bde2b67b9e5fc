import type postgres from 'postgres';
import { type Payer, payerNow } from '../execution/payer.ts';
import { draft } from './client.ts';

/** Picks a connection, and runs the query that `build` makes on it. @param payer Who pays for it; `null`: nobody. */
export type Run = <T>(build: (sql: postgres.Sql) => PromiseLike<T>, payer: Payer | null) => Promise<T>;

const START = Symbol('start');

interface Deferred {
  [START](): Promise<unknown>;
}

const notOffered = (name: string) => () => {
  throw new Error(`${name} of postgres.js is not offered on a pool`);
};

const METHODS_NOT_OFFERED = [
  'values',
  'raw',
  'simple',
  'describe',
  'cursor',
  'forEach',
  'stream',
  'readable',
  'writable',
  'execute',
  'handle',
  'cancel',
];

/** The prototype of deferred queries. postgres.js accepts them as queries, also nested ones. Awaiting one starts it. */
const deferredPrototype = Object.assign(
  Object.create(Object.getPrototypeOf(draft`select 1`)),
  Object.fromEntries(METHODS_NOT_OFFERED.map((name) => [name, notOffered(name)])),
  {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise.
    then(this: Deferred, onFulfilled: never, onRejected: never) {
      return this[START]().then(onFulfilled, onRejected);
    },
    catch(this: Deferred, onRejected: never) {
      return this[START]().catch(onRejected);
    },
    finally(this: Deferred, onFinally: never) {
      return this[START]().finally(onFinally);
    },
  },
);

/** Makes a query run once, when it is first awaited. A query nested in another does not run on its own. */
const defer = <Query>(query: Query, start: () => Promise<unknown>): Query => {
  let answer: Promise<unknown> | undefined;
  const once = () => {
    answer ??= start();
    return answer;
  };
  return Object.assign(Object.setPrototypeOf(query, deferredPrototype), { [START]: once });
};

/**
 * Creates a `sql` whose queries get a connection only when they are awaited. It offers tagged templates and their
 * helpers, `unsafe`, `array`, `json`, `typed`, and `begin` if given. Anything else throws.
 */
export const deferredSql = (run: Run, begin?: postgres.Sql['begin']): postgres.Sql => {
  const offered: Partial<Record<string | symbol, unknown>> = {
    array: draft.array,
    json: draft.json,
    typed: draft.typed,
    types: draft.types,
    begin,
    unsafe: (...args: Parameters<postgres.Sql['unsafe']>) => {
      const payer = payerNow();
      return defer(draft.unsafe(...args), () => run((sql) => sql.unsafe(...args), payer));
    },
  };
  return new Proxy((() => {}) as unknown as postgres.Sql, {
    apply(_, __, args: Parameters<postgres.Sql>) {
      const query = draft(...args);
      const payer = payerNow();
      return query instanceof Promise ? defer(query, () => run((sql) => sql(...args), payer)) : query;
    },
    get: (_, name) =>
      offered[name] ?? (typeof name === 'symbol' || name === 'then' ? undefined : notOffered(name)),
  });
};
