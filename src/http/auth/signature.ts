import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Fault } from '../../../workers/protocol.ts';
import { AppError, fieldError } from '../../errors.ts';
import { type Address, isSigned, readAddress, type SignedFormat } from '../../signed/address.ts';
import { readParameters, type SignedParameters } from '../../signed/parameters.ts';
import type { Signer, SigningSecrets } from '../../signed/secrets.ts';
import { createLookUp } from '../limits/guesses.ts';
import { hasExpired } from './principals.ts';

/** Who signed an address, and what it asks for. */
export interface SignedRequest extends Signer {
  readonly parameters: SignedParameters;
  readonly format: SignedFormat;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who signed the address of the request. The signature's hook sets it; `null` before, and on other routes. */
    signer: SignedRequest | null;
  }
}

/** The same answer whatever is wrong with an address, so that it does not reveal what. */
const refused = (): AppError =>
  new AppError(
    'signature_refused',
    'The signature does not match this address, or the address has expired; the page that shows it needs a new one.',
  );

/** Whether the address has expired. */
const isOver = ({ expires }: SignedParameters): boolean =>
  expires !== undefined && expires * 1000 <= Date.now();

/**
 * Creates a hook that accepts a request whose address an account has signed, and sets `request.signer`. It refuses any
 * other address with 403, a signed one that asks for something nonexistent with 400, an IP address that names too many
 * unknown secrets with 429, and a secret that cannot be looked up at the moment with 503.
 *
 * @param check Returns what is wrong with parameters, or `null`.
 */
export const createSignatureHook = (
  secrets: Pick<SigningSecrets, 'peek' | 'has' | 'get'>,
  check: (parameters: unknown) => Fault | null,
): onRequestHookHandler => {
  // Wrong signatures are not counted, because refusing one costs microseconds.
  const lookUp = createLookUp('Signing secrets');

  const accept = (request: FastifyRequest, address: Address, signer: Signer | null): void => {
    if (signer === null || hasExpired(signer) || !isSigned(signer.key, address)) throw refused();
    const read = readParameters(address.parameters, check);
    if (!read.ok) throw fieldError(read.fault.field, read.fault.message, 'invalid_params');
    if (isOver(read.value)) throw refused();
    request.signer = { ...signer, parameters: read.value, format: address.format };
  };

  return (request, _, done) => {
    const address = readAddress(request.raw.url ?? '');
    if (address === null) throw refused();
    // Most secrets are in memory, so their requests continue synchronously.
    const known = secrets.peek(address.secretId);
    if (known !== undefined) {
      accept(request, address, known);
      return done();
    }
    lookUp(secrets, address.secretId, request.ip)
      .then((signer) => accept(request, address, signer))
      .then(() => done(), done);
  };
};

/** Returns who signed a request. @throws {Error} When the route has no hook for signatures. */
export const signerOf = (request: FastifyRequest): SignedRequest => {
  if (request.signer === null) throw new Error('the route has no hook for signatures');
  return request.signer;
};
