/** The header `Tessera-Load-Test`: a key that has `load_tests` marks its calls as those of a load test. */
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../db/tables/accounts/keys.ts';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The load test to which the call belongs; `null`: it is not marked. */
    loadTest: string | null;
  }
}

/** The name of the header. */
export const LOAD_TEST_HEADER = 'tessera-load-test';
/** Needs no escapes in the log, and no key or secret of ours fits, because each has an underscore. */
const NAME = /^[0-9A-Za-z.-]{1,64}$/;
/** What a malformed name is told. */
export const LOAD_TEST_RULE = 'must be 1 to 64 letters, digits, dots and hyphens';

/**
 * Notes the load test that a request names, also in its log. A malformed name is not noted: `refuseUnreadHeaders`
 * refuses it after the rate limit.
 *
 * @throws {AppError} 403 when the key may not mark load tests.
 */
export const noteLoadTest = (request: FastifyRequest, { loadTests }: Pick<Principal, 'loadTests'>): void => {
  const name = request.headers[LOAD_TEST_HEADER];
  if (name === undefined) return;
  if (!loadTests) {
    throw new AppError(
      'load_test_refused',
      'This key may not mark load tests: use one that was made with "load_tests": true, or leave out Tessera-Load-Test.',
    );
  }
  if (typeof name !== 'string' || !NAME.test(name)) return;
  request.loadTest = name;
  request.log = request.log.child({ load_test: name });
};
