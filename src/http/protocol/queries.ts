import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify';
import { fieldError } from '../../errors.ts';

/** Returns the percent-decoded text; `null`: it cannot be decoded as UTF-8. */
const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** The name is echoed to the caller, so it is cut to one line of bounded length. */
const shown = (name: string): string => (decode(name) ?? name).replace(/\p{C}/gu, '?').slice(0, 200);

/** Returns a parameter that is not correctly percent-encoded, or `null`. Most queries are decoded once. */
const findUndecodable = (url: string): string | null => {
  const query = url.slice(url.indexOf('?') + 1 || url.length);
  if (decode(query) !== null) return null;
  const parameter = query.split('&').find((text) => decode(text) === null) ?? query;
  return shown(parameter.split('=', 1)[0]!);
};

const findRepeated = (query: FastifyRequest['query']): string | undefined =>
  Object.entries(query as object).find(([, value]) => Array.isArray(value))?.[0];

/**
 * Refuses queries that would be misread: those with a parameter that is not correctly percent-encoded, which the parser
 * leaves as it is, or with one that is sent twice. Routes without a query schema do not read the query.
 */
export const refuseOddQueries = (app: FastifyInstance): void => {
  const check: preValidationHookHandler = (request, _reply, done) => {
    const undecodable = findUndecodable(request.raw.url ?? '');
    if (undecodable !== null) {
      const rule = 'is not percent-encoded correctly; write UTF-8, and % itself as %25';
      return done(fieldError(undecodable, rule, 'invalid_query'));
    }
    const repeated = findRepeated(request.query);
    if (repeated === undefined) return done();
    done(fieldError(shown(repeated), 'must be sent only once', 'invalid_query'));
  };
  app.addHook('onRoute', (route) => {
    if (route.schema?.querystring === undefined) return;
    route.preValidation = [check, route.preValidation ?? []].flat();
  });
};
