/** Who makes a call that costs units, and which use cases do it. */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../generate/parts.ts';
import type { Rehearsal } from '../generate/rehearsal.ts';
import type { Sandbox } from '../generate/sandbox.ts';
import { principalOf } from './auth/auth.ts';

/** Returns the caller of a request, with its claim if it has one. */
export const callerOf = (request: FastifyRequest, claimed: Pick<Caller, 'claim'> = {}): Caller => {
  const { accountId, keyId, keyQuota, makers } = principalOf(request);
  return { accountId, keyId, keyQuota, makers, isLoadTest: request.loadTest !== null, ...claimed };
};

/** Returns the use cases for the key of a request: those of live keys, of sandboxes, or of load tests of sandboxes. */
export const useCasesFor = <Live>(
  request: FastifyRequest,
  live: Live,
  sandbox: Sandbox,
  rehearsal: Rehearsal,
): Live | Sandbox | Rehearsal => {
  if (!principalOf(request).isSandbox) return live;
  return request.loadTest === null ? sandbox : rehearsal;
};
