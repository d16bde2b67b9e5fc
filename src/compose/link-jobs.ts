import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { toDesign } from '../generate/request/design.ts';
import type { LinkRules } from '../generate/slugs.ts';
import { createChangeRowReader, createGuardReader } from '../http/schemas/link-job.ts';
import { createChangeKind } from '../link-jobs/change.ts';
import { startLinkJobs } from '../link-jobs/engine.ts';
import { createImportKind } from '../link-jobs/import.ts';
import { createReceiveJob } from '../link-jobs/receive.ts';
import type { Log } from '../log.ts';
import type { Tracer } from '../tracing/trace.ts';
import type { Stores } from './stores.ts';

/** A job being received is given up when its gateway, the lease holder, was silent for this long. */
const RECEIVING_LEASE_MS = 60_000;
/** Of an account. */
const BOUNDS = { maxOpen: 5, maxKept: 200, accountMaxBytes: 5_000_000_000 };
/** Of a job. */
const ROWS = { maxRows: 1_000_000, maxBytes: 1_000_000_000 };

/** Builds what the routes of link jobs use, and starts the work on them. */
export const createLinkJobs = (
  { batches: { workers }, importedLinksMax }: Config,
  { database, objects }: Stores,
  { checkDestination, createSlug, publicUrl }: LinkRules & { publicUrl(): string },
  { log, tracer }: { readonly log: Log; readonly tracer: Tracer | null },
) => {
  const { store, isProved: isStoreProved } = objects;
  const engine = startLinkJobs({
    database,
    store,
    isStoreProved,
    isWorking: workers > 0,
    kinds: {
      change: createChangeKind(database.sql, createChangeRowReader(checkDestination)),
      import: createImportKind({
        checkDestination,
        createSlug,
        readGuard: createGuardReader(checkDestination),
        design: toDesign({}),
        maxLinks: importedLinksMax,
        publicHost: () => new URL(publicUrl()).host,
      }),
    },
    log,
    tracer,
  });
  const bounds = { ...BOUNDS, ...ROWS, leaseHolder: randomUUID(), leaseMs: RECEIVING_LEASE_MS };
  const { receive, undo } = createReceiveJob({ sql: database.sql, store, bounds, log, wake: engine.wake });
  return {
    wake: engine.wake,
    close: engine.close,
    stats: engine.stats,
    undo,
    async receive(...given: Parameters<typeof receive>) {
      objects.require();
      return receive(...given);
    },
  };
};
