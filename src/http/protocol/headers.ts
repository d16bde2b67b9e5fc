/**
 * The headers that all requests and answers have in common, and the refusal of those that a route would ignore although
 * they decide what a call does. Of `Prefer` (RFC 7240), only `return` is honoured.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preParsingHookHandler,
} from 'fastify';
import Type from 'typebox';
import { withoutKeys } from '../../accounts/api-key.ts';
import { AppError, fieldError } from '../../errors.ts';
import { LOAD_TEST_HEADER, LOAD_TEST_RULE } from '../load-test.ts';

/**
 * Of these fields Node keeps the first and drops the others, while a proxy in front may have read the last. RFC 9112
 * (3.2) demands the refusal for `Host`, RFC 9110 (5.3) allows it for the others.
 */
const ONCE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);
const LENGTHS: ReadonlySet<number> = new Set([...ONCE].map(({ length }) => length));

const findRepeated = (rawHeaders: readonly string[]): string | undefined => {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at]!;
    if (!LENGTHS.has(written.length)) continue;
    const name = written.toLowerCase();
    if (seen.includes(name)) return written;
    if (ONCE.has(name)) seen.push(name);
  }
  return undefined;
};

/** Refuses requests that have one of these fields twice, before anything reads them. */
export const refuseRepeatedHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const repeated = findRepeated(raw.rawHeaders);
    if (repeated === undefined) return done();
    done(new AppError('malformed_request', `${repeated}: must be sent once`));
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether it does no harm to make the call twice: it neither costs units nor changes anything. */
    isRepeatable?: boolean;
    /** Whether visitors, monitors and scrapers call it, who may send what they like. */
    ignoresHeaders?: boolean;
  }
}

/** Our own, also misspelt ones: what is made would be other than asked for. */
const OWN = /^(?:tessera-.+|design)$/;
/** The caller relies on them not to do something twice, or not to overwrite what it has not read. */
const SAFEGUARDS: readonly string[] = ['idempotency-key', 'if-match'];

const NAME_MAX_CHARACTERS = 100;

const written = (name: string): string =>
  name.slice(0, NAME_MAX_CHARACTERS).replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

/**
 * Makes every documented route refuse, before it reads a body, the headers of our own that its schema does not name; a
 * call that costs or changes something also refuses an `Idempotency-Key` and an `If-Match` that it does not read. Every
 * call with a key reads `Tessera-Load-Test`.
 */
export const refuseUnreadHeaders = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    const { schema, config } = route;
    if (schema === undefined || schema.hide || config?.ignoresHeaders || route.method === 'OPTIONS') return;
    const read = Object.keys((schema.headers as { properties?: object } | undefined)?.properties ?? {});
    const isRefused = (name: string): boolean =>
      !read.includes(name) && (OWN.test(name) || (!config?.isRepeatable && SAFEGUARDS.includes(name)));
    const own = read.filter((name) => OWN.test(name)).map(written);
    const others = own.length === 0 ? '' : `; of this kind it supports ${own.join(', ')}`;
    const check: preParsingHookHandler = ({ headers, loadTest, principal }, _reply, _payload, done) => {
      const name = Object.keys(headers).find(
        (sent) => isRefused(sent) && (sent !== LOAD_TEST_HEADER || loadTest === null),
      );
      if (name === undefined) return done();
      if (name === LOAD_TEST_HEADER && principal !== null)
        return done(fieldError(written(name), LOAD_TEST_RULE, 'invalid_header'));
      const rule = `is not supported by this call; send it without one${OWN.test(name) ? others : ''}`;
      done(fieldError(written(name), rule, 'invalid_header'));
    };
    route.preParsing = [check, route.preParsing ?? []].flat();
  });
};

/** The header of calls that make something large. */
export const PreferHeader = {
  prefer: Type.Optional(
    Type.String({ description: '`return=minimal`: the answer has no body. Other preferences are ignored.' }),
  ),
};

const RETURN = /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?=[,;]|$)/i;

/** Whether the caller wants an answer without a body. Of several preferences the first counts. */
export const prefersMinimal = ({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>): boolean =>
  RETURN.exec(String(prefer ?? ''))?.[1]?.toLowerCase() === 'minimal';

/** A caller's request id is used when it has this form and contains no key, so that it is safe to log. */
const SANE_ID = /^[\w.:+/=@-]{1,128}$/;

/** Returns the request's `X-Request-Id` if it is acceptable, otherwise a new UUID. */
export const requestIdOf = (raw: IncomingMessage): string => {
  const id = raw.headers['x-request-id'];
  return typeof id === 'string' && SANE_ID.test(id) && withoutKeys(id) === id ? id : randomUUID();
};

/** The strictest headers. Pages (docs, dashboard) set their own policy. */
const COMMON = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const YEAR_S = 31_536_000;

/** Sets the headers of every answer. */
export type SendCommonHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** Creates the function. @param isHttps Whether callers reach us only by https; browsers are then told to use it. */
export const createCommonHeaders = (isHttps: boolean): SendCommonHeaders => {
  const common = isHttps ? { ...COMMON, 'strict-transport-security': `max-age=${YEAR_S}` } : COMMON;
  return (request, reply) => void reply.header('x-request-id', request.id).headers(common);
};

/** Sets the common headers on every answer, also for unknown paths. */
export const addCommonHeaders = (app: FastifyInstance, send: SendCommonHeaders): void => {
  app.addHook('onRequest', (request, reply, done) => {
    send(request, reply);
    done();
  });
};

const streamNothing: onSendHookHandler = (_request, _reply, payload, done) => {
  done(null, payload ?? Readable.from([]));
};

/**
 * Lets the HEAD routes of Fastify answer without a body, as 204 and 304 do. They measure the body that they leave out
 * and fail for `null`, so this gives them an empty stream, which they do not measure.
 */
export const allowHeadWithoutBody = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [streamNothing, route.onSend ?? []].flat();
  });
};
