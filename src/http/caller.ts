/** Who makes a call that costs units, and which use cases do it. */
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../db/tables/accounts/keys.ts';
import type { Caller } from '../generate/parts.ts';
import type { Rehearsal } from '../generate/rehearsal.ts';
import type { Sandbox } from '../generate/sandbox.ts';
import { decodeHeader } from './preset.ts';

/** Returns the caller of a request without its `Idempotency-Key`. */
export const unclaimedCallerOf = (
  { loadTest, presetDomain, headers: { 'tessera-domain': domain } }: FastifyRequest,
  { accountId, keyId, keyQuota, makers }: Principal,
): Caller => ({
  ...{ accountId, keyId, keyQuota, makers, isLoadTest: loadTest !== null },
  presetDomain,
  ...(domain !== undefined && { domain: decodeHeader(String(domain)) }),
});

/** Returns the use cases for a key: those of live keys, of sandboxes, or of load tests of sandboxes. */
export const useCasesFor = <Live>(
  { loadTest }: FastifyRequest,
  { isSandbox }: Principal,
  live: Live,
  sandbox: Sandbox,
  rehearsal: Rehearsal,
): Live | Sandbox | Rehearsal => {
  if (!isSandbox) return live;
  return loadTest === null ? sandbox : rehearsal;
};
