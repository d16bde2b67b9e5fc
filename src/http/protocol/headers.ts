/**
 * Refuses request headers that decide what a call does where a route would ignore them. Of `Prefer` (RFC 7240), only
 * `return` is honoured.
 */
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import Type from 'typebox';
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
