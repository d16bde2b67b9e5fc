/** Defines a route once: for the document, for the validation of calls, and for its types. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import Type, { type Static, type TObject, type TSchema, type TVoid } from 'typebox';
import type { Page, PageRequest } from '../../db/cursor.ts';
import type { Database } from '../../db/database.ts';
import type { Principal } from '../../db/tables/accounts/keys.ts';
import { type Change, changeOnce, OnceHeader } from '../idempotency.ts';
import { admitCall, admitPaidCall, chargeRefusedCall, metered, oneAtATime } from '../limits/metered.ts';
import {
  BODY_ERRORS,
  describeErrors,
  NoContent,
  NotModified,
  PageQuery,
  pageSchema,
  strict,
  toPageBody,
  toPageRequest,
} from '../schemas/atoms.ts';
import { closeCursor, openCursor } from '../schemas/cursors.ts';
import { BODY_IS_OPTIONAL } from '../schemas/openapi/document.ts';
import { withHeaders } from '../schemas/openapi/headers.ts';
import type { Routes } from '../schemas/openapi/openapi.ts';

/**
 * A route. `C` is the caller. Its schemas are inferred from the fields alone: inferring them also from what `handle` takes
 * and returns costs the compiler seconds.
 */
export interface Route<P, Q, H, B, A, C> {
  readonly operationId: string;
  readonly summary: string;
  /** What the summary does not say: what it takes, costs and refuses. */
  readonly description: string;
  /** Absent: that of its section. */
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly params?: P;
  readonly querystring?: Q;
  readonly headers?: H;
  readonly body?: B;
  /** Whether some calls have no body. */
  readonly isBodyOptional?: true;
  /** The schema of a success; absent: a 204. */
  readonly answer?: A;
  /** The status of a success; absent: 200, or 204 without `answer`. */
  readonly status?: number;
  /** Further answers by their statuses; `2xx`: any success that has none of its own. */
  readonly answers?: Readonly<Partial<Record<number | '2xx', object>>>;
  /** Statuses of errors beyond those of the section, and those that follow from the parts of the call. */
  readonly fails?: readonly number[];
  /** Further options for Fastify. */
  readonly options?: Partial<Omit<RouteOptions, 'method' | 'url' | 'schema' | 'handler'>>;
  /**
   * Whether a call with POST changes nothing, so that doing it twice does no harm. Every other call that is no GET either
   * takes an `Idempotency-Key` or refuses it.
   */
  readonly isSafe?: true;
  /** Whether its calls cost units, or belong to work that does. Others, and long refused ones, are free work. */
  readonly isPaid?: true;
  /** Why calls work when the account has overdrawn its free work; they are charged all the same. Absent: a 429. */
  readonly evenOverdrawn?: string;
  /** Whether a call changes or makes many things: an account makes one at a time. */
  readonly isOfMany?: true;
  /** Returns the body of a success, or sends another answer itself. A route has either this or `change`. */
  handle?(
    request: Called<P, Q, H, B>,
    caller: C,
    reply: FastifyReply,
  ): Promise<NoInfer<Static<A & TSchema>> | FastifyReply>;
  /**
   * Checks a request, and returns what changes something in a transaction and returns the body of a success. That is done
   * once for each `Idempotency-Key`. Inside it, only the database that it is given may be used.
   */
  change?(
    request: Called<P, Q, H, B>,
    caller: C,
    reply: FastifyReply,
  ): Promise<Change<NoInfer<Static<A & TSchema>>>>;
  /** With `change`, where bodies may be long: reads that of a replay by its id. @throws {AppError} 404 */
  readAgain?(id: string, caller: C, reply: FastifyReply): Promise<NoInfer<Static<A & TSchema>>>;
}

/** A request as a route gets it. */
type Called<P, Q, H, B> = FastifyRequest<{
  Params: NoInfer<Static<P & TSchema>>;
  Querystring: NoInfer<Static<Q & TSchema>>;
  Headers: NoInfer<Static<H & TSchema>>;
  Body: NoInfer<Static<B & TSchema>>;
}>;

/** What the routes of a section have in common. */
export interface Section<C> {
  /** Statuses of errors of every call, and of every call that writes. */
  readonly fails?: readonly number[];
  readonly writeFails?: readonly number[];
  /** Whether queries and headers are ignored; without this, one of ours that a route does not name is a 400. */
  readonly ignoresQueries?: true;
  /** What routes with `change` need. */
  readonly database?: Database;
  callerOf(request: FastifyRequest): C;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** For sections whose answers do not depend on the caller. */
export const ANYBODY: Section<undefined> = { callerOf: () => undefined };

/**
 * For probes, metrics and documents, to which monitors, scrapers and cache busters add parameters of their own.
 * Browsers, mail programs and campaigns do the same to short links and to the pages and files of the dashboard and of
 * `/docs`. None of these are defined as routes with a query.
 */
export const ANYTHING: Section<undefined> = { ...ANYBODY, ignoresQueries: true };

const NoQuery = Type.Object({}, strict);

/** Whether a schema has a field. */
const has = (schema: TSchema | undefined, field: string): boolean =>
  Object.hasOwn((schema as { properties?: object } | undefined)?.properties ?? {}, field);

/** Whether an answer is JSON: what is described by its media types is a file. */
const isJson = (answer: TSchema | undefined): boolean => answer !== undefined && !('content' in answer);

const withOnceHeader = (headers: TSchema | undefined): TObject =>
  Type.Object({ ...(headers as TObject | undefined)?.properties, ...OnceHeader });

type Marked = Pick<
  Route<never, never, never, never, never, never>,
  'isBodyOptional' | 'isSafe' | 'isPaid' | 'evenOverdrawn'
>;

type AnyRoute<C> = Pick<
  Route<TSchema, TSchema, TSchema, TSchema, TSchema, C>,
  'handle' | 'change' | 'readAgain'
>;

/** Returns what answers a request: it returns the body of a success, unless the answer is sent. */
const answererOf = <C>({ handle, change, readAgain }: AnyRoute<C>, { database, callerOf }: Section<C>) => {
  if (handle !== undefined && change === undefined)
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
      handle(request, callerOf(request), reply);
  if (change === undefined || handle !== undefined || database === undefined)
    throw new Error('a route has either `handle` or, with a database, `change`');
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const caller = callerOf(request);
    return changeOnce<unknown>(database, request, reply, {
      prepare: () => change(request, caller, reply),
      ...(readAgain !== undefined && { readAgain: (id) => readAgain(id, caller, reply) }),
    });
  };
};

type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Returns what answers the calls of a route, and charges them to their account unless they are paid. */
const meteredAs = (
  { isPaid, isOfMany }: { readonly isPaid?: true; readonly isOfMany?: true },
  run: Run,
): Run => {
  if (isPaid) return run;
  const pay: Run = (request, reply) => metered(request, () => run(request, reply));
  return isOfMany ? (request, reply) => oneAtATime(request, reply, () => pay(request, reply)) : pay;
};

/** Returns the statuses of errors that follow from the parts of a call. */
const failuresOf = (
  { params, querystring, body }: Partial<Record<'params' | 'querystring' | 'body', TSchema>>,
  isRead: boolean,
  isChange: boolean,
): readonly number[] => [
  ...(params === undefined ? [] : [400, 404]),
  ...(querystring === undefined ? [] : [400]),
  ...(body === undefined ? [] : BODY_ERRORS),
  ...(isRead ? [] : [415]),
  ...(isChange ? [409, 422] : []),
];

const describeSuccess = (success: TSchema, isChange: boolean, isTagged: boolean): TSchema => {
  const headers = [
    ...(isChange ? (['Idempotent-Replayed'] as const) : []),
    ...(isTagged ? (['ETag'] as const) : []),
  ];
  return headers.length === 0 ? success : withHeaders(success, ...headers);
};

/** Returns the marks of a call in the document. */
const marksOf = ({ isBodyOptional, isSafe, isPaid, evenOverdrawn }: Marked): object => ({
  ...(isBodyOptional && { [BODY_IS_OPTIONAL]: true }),
  ...(isSafe && { 'x-safe': true }),
  ...(isPaid && { 'x-paid': true }),
  ...(evenOverdrawn !== undefined && { 'x-even-overdrawn': evenOverdrawn }),
});

/** Adds a route, such as `GET /folders/:id`. */
export type AddRoute<C> = ReturnType<typeof routesOf<C>>;

/**
 * Returns a function that adds a route, such as `GET /folders/:id`.
 *
 * @param name That of its routes in logs and metrics.
 */
export const routesOf =
  <C>(app: Routes, name: string, section: Section<C>) =>
  <P extends TSchema, Q extends TSchema, H extends TSchema, B extends TSchema, A extends TSchema = TVoid>(
    place: `${Method} /${string}`,
    route: Route<P, Q, H, B, A, C>,
  ): void => {
    const { fails = [], writeFails = [], ignoresQueries } = section;
    const { answer, answers, fails: own = [], options, handle, change, readAgain, ...parts } = route;
    const { status = answer === undefined ? 204 : 200, isBodyOptional: _, isSafe, ...rest } = parts;
    const { isPaid, evenOverdrawn, isOfMany: __, ...others } = rest;
    const call = {
      ...others,
      ...(!ignoresQueries && { querystring: others.querystring ?? NoQuery }),
      ...(change !== undefined && { headers: withOnceHeader(others.headers) }),
    };
    const [method, url] = place.split(' ') as [Method, string];
    const isRead = method === 'GET' || method === 'HEAD';
    const isList = has(call.querystring, 'cursor');
    // Others have an ETag of their own, are files, or are asked for again and again by monitors.
    const isTagged =
      isRead && status === 200 && !ignoresQueries && answers?.[304] === undefined && isJson(answer);
    const statuses = [
      ...[...fails, ...(isRead ? [] : writeFails), ...own],
      ...failuresOf(call, isRead, change !== undefined),
    ];
    const described = describeSuccess(answer ?? NoContent, change !== undefined, isTagged);
    const unchanged = isTagged && { 304: withHeaders(NotModified, 'ETag') };
    const protocol = {
      isRepeatable: isRead || !!isSafe,
      ignoresHeaders: !!ignoresQueries,
      tagsAnswers: isTagged,
    };
    const answerTo = answererOf({ handle, change, readAgain } as AnyRoute<C>, section);
    const make = async (request: FastifyRequest, reply: FastifyReply) => {
      if (isList) openCursor(request);
      const body = await answerTo(request, reply);
      return isList ? closeCursor(request, body) : body;
    };
    const run = meteredAs(rest, make);
    app.route({
      ...(isPaid && !isRead && { preParsing: admitPaidCall, onResponse: chargeRefusedCall }),
      ...(isPaid || evenOverdrawn !== undefined ? {} : { preParsing: admitCall }),
      ...options,
      method,
      url,
      config: { name, ...protocol, ...options?.config },
      schema: {
        ...call,
        ...marksOf(route),
        response: { [status]: described, ...unchanged, ...answers, ...describeErrors(...statuses) },
      },
      handler:
        status === 200
          ? run
          : async (request: FastifyRequest, reply: FastifyReply) => {
              reply.code(status);
              const body = await run(request, reply);
              const isSent = answer !== undefined && body === undefined;
              return isSent ? undefined : reply.send(body ?? null);
            },
    });
  };

/** What the routes of an account's lists have in common. @param row The schema of a row, with a title. */
export const pagesOf = <R extends TObject, Row>(
  row: R,
  toBody: (row: Row) => NoInfer<Static<R>>,
  read: (caller: Principal, page: PageRequest) => Promise<Page<Row>>,
) => ({
  querystring: PageQuery,
  answer: pageSchema(row),
  handle: async ({ query }: { readonly query: Static<typeof PageQuery> }, caller: Principal) =>
    toPageBody(await read(caller, toPageRequest(query)), toBody),
});
