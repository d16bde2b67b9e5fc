import type { Config } from '../config/config.ts';
import { createDomains } from '../domains/domains.ts';
import { ownHosts } from '../domains/host.ts';
import { createFindProof } from '../domains/proof.ts';
import type { Log } from '../log.ts';
import type { Stores } from './stores.ts';

/** Builds what the routes of own domains use, and starts looking for their proofs. */
export const createOwnDomains = (
  config: Config,
  { database, directory, unknownSlugs }: Pick<Stores, 'database' | 'directory' | 'unknownSlugs'>,
  publicUrl: () => string,
  log: Log,
) => ({
  directory,
  unknownSlugs,
  domains: createDomains(
    database,
    createFindProof({ servers: config.domains.nameServers }),
    config.domains.perAccountMax,
    log,
  ),
  isOwnHost: (host: string) => ownHosts([publicUrl(), config.resolver.url]).includes(host),
});
