/** Announces in an answer that the request used something that a later version will not accept. */
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { spellingsOf } from '../schemas/requests/aliases.ts';

/** The camelCase spellings of fields of our own: when they were deprecated, and until when they are sure to work. */
const FORMER_SPELLINGS = { since: new Date('2026-11-24T00:00:00Z'), until: new Date('2027-11-24T00:00:00Z') };

/** RFC 9745, section 2.1, and RFC 8594, section 3. */
const HEADERS = {
  deprecation: `@${FORMER_SPELLINGS.since.getTime() / 1000}`,
  sunset: FORMER_SPELLINGS.until.toUTCString(),
};

/** Adds the headers `Deprecation` and `Sunset` to answers to requests with a former spelling. */
export const announceDeprecations = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    const inQuery = spellingsOf(route.schema?.querystring);
    const inBody = spellingsOf(route.schema?.body);
    if (inQuery.length + inBody.length === 0) return;
    const announce: preValidationHookHandler = ({ query, body }, reply, done) => {
      const uses = (part: unknown, spelling: string) => Object.hasOwn(Object(part), spelling);
      const isUsed =
        inQuery.some((spelling) => uses(query, spelling)) || inBody.some((spelling) => uses(body, spelling));
      if (isUsed) reply.headers(HEADERS);
      done();
    };
    route.preValidation = [announce, route.preValidation ?? []].flat();
  });
};
