/** Defines a route once: for the document, for the validation of calls, and for its types. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import Type, { type Static, type TObject, type TSchema, type TVoid } from 'typebox';
import type { Page, PageRequest } from '../../db/cursor.ts';
import type { Principal } from '../../db/tables/keys.ts';
import { fieldError } from '../../errors.ts';
import {
  BODY_ERRORS,
  describeErrors,
  NoContent,
  PageQuery,
  pageSchema,
  strict,
  toPageBody,
  toPageRequest,
} from '../schemas/atoms.ts';
import { BODY_IS_OPTIONAL } from '../schemas/components/document.ts';
import type { Routes } from '../schemas/openapi.ts';
import { withHeaders } from '../schemas/openapi-headers.ts';
import { spellingsOf } from '../schemas/requests/aliases.ts';
import { closeCursor, openCursor } from '../schemas/requests/cursors.ts';

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
  /** Further answers by their statuses. */
  readonly answers?: Readonly<Record<number, object>>;
  /** Statuses of errors beyond those of the section, and those that follow from the parts of the call. */
  readonly fails?: readonly number[];
  /** Further options for Fastify. */
  readonly options?: Partial<Omit<RouteOptions, 'method' | 'url' | 'schema' | 'handler'>>;
  /** Returns the body of a success, or sends another answer itself. */
  handle(
    request: FastifyRequest<{
      Params: NoInfer<Static<P & TSchema>>;
      Querystring: NoInfer<Static<Q & TSchema>>;
      Headers: NoInfer<Static<H & TSchema>>;
      Body: NoInfer<Static<B & TSchema>>;
    }>,
    caller: C,
    reply: FastifyReply,
  ): Promise<NoInfer<Static<A & TSchema>> | FastifyReply>;
}

/** What the routes of a section have in common. */
export interface Section<C> {
  /** Statuses of errors of every call, and of every call that writes. */
  readonly fails?: readonly number[];
  readonly writeFails?: readonly number[];
  /** Whether queries are ignored; without this, a parameter that a route does not name is a 400. */
  readonly ignoresQueries?: true;
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

/** @throws {AppError} 400 when the request has an `Idempotency-Key`. */
const refuseIdempotencyKey = ({ headers }: FastifyRequest): void => {
  if (headers['idempotency-key'] === undefined) return;
  throw fieldError('Idempotency-Key', 'is not supported by this call; send it without one', 'invalid_header');
};

/** Adds a route, such as `GET /folders/:id`. */
export type AddRoute<C> = ReturnType<typeof routesOf<C>>;

/**
 * Returns a function that adds a route, such as `GET /folders/:id`.
 *
 * @param name That of its routes in logs and metrics.
 */
export const routesOf =
  <C>(app: Routes, name: string, { fails = [], writeFails = [], ignoresQueries, callerOf }: Section<C>) =>
  <P extends TSchema, Q extends TSchema, H extends TSchema, B extends TSchema, A extends TSchema = TVoid>(
    place: `${Method} /${string}`,
    route: Route<P, Q, H, B, A, C>,
  ): void => {
    const { answer, answers, fails: own = [], isBodyOptional, options, handle, ...parts } = route;
    const { status = answer === undefined ? 204 : 200, ...others } = parts;
    const call = ignoresQueries ? others : { ...others, querystring: others.querystring ?? NoQuery };
    const [method, url] = place.split(' ') as [Method, string];
    const isRead = method === 'GET' || method === 'HEAD';
    // A route that ignored the key would create things twice for callers who rely on it.
    const makesEachTime = method === 'POST' && status > 200 && !has(call.headers, 'idempotency-key');
    const isList = has(call.querystring, 'cursor');
    const statuses = [
      ...[...fails, ...(isRead ? [] : writeFails), ...own],
      ...(call.params === undefined ? [] : [400, 404]),
      ...(call.querystring === undefined && !makesEachTime ? [] : [400]),
      ...(call.body === undefined ? [] : BODY_ERRORS),
      ...(isRead ? [] : [415]),
    ];
    const hasFormer = [call.querystring, call.body].flatMap(spellingsOf).length > 0;
    const success = answer ?? NoContent;
    const described = hasFormer ? withHeaders(success, 'Deprecation', 'Sunset') : success;
    const run = async (request: FastifyRequest, reply: FastifyReply) => {
      if (makesEachTime) refuseIdempotencyKey(request);
      if (isList) openCursor(request);
      const body = await handle(request as Parameters<typeof handle>[0], callerOf(request), reply);
      return isList ? closeCursor(request, body) : body;
    };
    app.route({
      ...options,
      method,
      url,
      config: { name, ...options?.config },
      schema: {
        ...call,
        ...(isBodyOptional && { [BODY_IS_OPTIONAL]: true }),
        response: { [status]: described, ...answers, ...describeErrors(...statuses) },
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
