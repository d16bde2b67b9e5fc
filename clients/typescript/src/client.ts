/** The client: a function for each call of the OpenAPI document. */
import { type BatchCalls, batchCalls } from './batches/batches.ts';
import { type Call, type CallOptions, perform, type Settings } from './call.ts';
import type { TesseraError } from './error.ts';
import { type LinkJobCalls, linkJobCalls } from './link-jobs/link-jobs.ts';
import { ERROR_CODES, OPERATIONS } from './operations.ts';
import type { AnyInput, Operation } from './request.ts';
import type { Calls, EachCalls } from './types.ts';

/** Where the service is, who calls it, and how patient the client is. */
export interface ClientOptions {
  /** The address of the service, with the path under which a proxy serves it. */
  readonly url: string;
  /** An API key. */
  readonly key?: string;
  /** The operator's token, for the calls of the operator. */
  readonly adminToken?: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of a try; for a file, until its first byte. Default: 60 s. */
  readonly timeoutMs?: number;
  /** Retries after transient failures. Default: 8. */
  readonly retries?: number;
  /** The longest pause before a retry. When the service asks for a longer one, its refusal is thrown. Default: 60 s. */
  readonly maxPauseMs?: number;
  /** No try begins later than this after the first one. Default: 120 s. */
  readonly giveUpMs?: number;
  /** Called before the pause in front of each retry, for a log for example. */
  readonly onRetry?: (failure: TesseraError, pauseMs: number) => void;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A client. */
export type Client = Calls & BatchCalls & LinkJobCalls & { readonly each: EachCalls };

type AnyCall = (input?: AnyInput, options?: CallOptions) => ReturnType<typeof perform>;

async function* eachRow(call: AnyCall, input: AnyInput, options?: CallOptions): AsyncGenerator<unknown> {
  let { cursor } = (input.query ?? {}) as { cursor?: unknown };
  do {
    const { data } = await call({ ...input, query: { ...input.query, cursor } }, options);
    const page = data as { readonly data: readonly unknown[]; readonly next_cursor: string | null };
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

const mapCalls = <T>(make: (operation: Operation) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(OPERATIONS).map(([id, operation]) => [id, make(operation)]));

/** Creates a client. It keeps nothing between calls. */
export const createClient = (options: ClientOptions): Client => {
  const defaults = { timeoutMs: 60_000, retries: 8, maxPauseMs: 60_000, giveUpMs: 120_000 };
  // Called without its object, as the `fetch` of browsers demands.
  const settings: Settings = {
    fetch: (...sent) => fetch(...sent),
    codes: ERROR_CODES,
    ...defaults,
    ...options,
  };
  const call: Call = (operation, input = {}, own = {}) => perform(operation, input, own, settings);
  const callOf =
    (operation: Operation): AnyCall =>
    (input, own) =>
      call(operation, input, own);
  const calls = mapCalls(callOf) as unknown as Calls;
  const each = mapCalls((operation) => {
    const call = callOf(operation);
    return (input: AnyInput = {}, own?: CallOptions) => eachRow(call, input, own);
  }) as unknown as EachCalls;
  return { ...calls, each, ...batchCalls(call, calls), ...linkJobCalls(call, calls) };
};
