/** Looks for the proof that an account has a host: a TXT record, or a file that the host serves. */
import { Resolver } from 'node:dns';
import { fetch } from 'undici';
import { within } from '../execution/time-limits.ts';
import { createGuardedAgent, createNameServerLookup, type NetworkOptions } from '../logo/agent.ts';

/** What a proof is made of. */
export interface Claimed {
  readonly host: string;
  readonly token: string;
}

/** The name of the TXT record, below which nothing else is. */
export const recordName = ({ host }: Pick<Claimed, 'host'>): string => `_tessera.${host}`;

/** The value of the record, and the text of the file. */
export const proofText = ({ token }: Pick<Claimed, 'token'>): string => `tessera-domain=${token}`;

/** The path of the file. The gateway serves nothing there itself, so a host that leads to it proves nothing. */
export const PROOF_PATH = '/.well-known/tessera-domain';

/** For each step of a look-up or a request, and for all of them. */
const STEP_MS = 3000;
const ALL_MS = 10_000;
/** The file is one line. */
const FILE_MAX_BYTES = 1000;

/** Where records and files are looked for; tests give their own. */
export interface ProofNetwork extends Partial<Pick<NetworkOptions, 'lookup' | 'isAllowedAddress'>> {
  /** Name servers as `address` or `address:port`; empty: those of the system. */
  readonly servers: readonly string[];
}

/** Returns why no proof of a host is found, as a sentence for its owner; `null`: it is. Never throws. */
export type FindProof = (claimed: Claimed) => Promise<string | null>;

const readStart = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= FILE_MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, FILE_MAX_BYTES).toString('latin1').trim();
};

/** Makes the function that looks for proofs. Files are fetched like logos: from public addresses, without redirects. */
export const createFindProof = ({ servers, ...network }: ProofNetwork): FindProof => {
  const resolver = new Resolver({ timeout: STEP_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const agent = createGuardedAgent({
    timeoutMs: STEP_MS,
    allowPrivateNetworks: false,
    maxConnectionsPerHost: 2,
    lookup: createNameServerLookup(resolver),
    ...network,
  });

  const hasRecord = (claimed: Claimed): Promise<boolean> =>
    new Promise((resolve) => {
      resolver.resolveTxt(recordName(claimed), (error, records) => {
        resolve(!error && records.some((parts) => parts.join('').trim() === proofText(claimed)));
      });
    });

  const hasFile = async (
    claimed: Claimed,
    scheme: 'https' | 'http',
    signal: AbortSignal,
  ): Promise<boolean> => {
    try {
      const answer = await fetch(`${scheme}://${claimed.host}${PROOF_PATH}`, {
        dispatcher: agent,
        redirect: 'manual',
        signal,
        headers: { accept: 'text/plain', 'accept-encoding': 'identity', 'user-agent': 'Tessera' },
      });
      const text = await readStart(answer.body);
      return answer.status === 200 && text === proofText(claimed);
    } catch {
      return false;
    }
  };

  const look = async (claimed: Claimed, signal: AbortSignal): Promise<boolean> => {
    const found = [
      hasRecord(claimed),
      hasFile(claimed, 'https', signal),
      hasFile(claimed, 'http', signal),
    ] as const;
    return (await Promise.all(found)).includes(true);
  };

  return async (claimed) => {
    const signal = AbortSignal.timeout(ALL_MS);
    const isFound = await within(look(claimed, signal), ALL_MS, () => new Error('no answer')).catch(
      () => false,
    );
    if (isFound) return null;
    return `Neither a TXT record of ${recordName(claimed)} nor ${PROOF_PATH} at the host has the text ${proofText(claimed)}.`;
  };
};
