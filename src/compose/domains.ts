import type { Config } from '../config/config.ts';
import { createDomains } from '../domains/domains.ts';
import { createFindProof } from '../domains/proof.ts';
import type { Log } from '../log.ts';
import { isOwnHostOf } from './serving.ts';
import type { Stores } from './stores.ts';

/** Builds what the routes of own domains use, and starts looking for their proofs where that is done. */
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
    { perAccountMax: config.domains.perAccountMax, works: config.duties.works },
    log,
  ),
  isOwnHost: isOwnHostOf(config, publicUrl),
});
