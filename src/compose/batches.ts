import { createHmac, randomUUID } from 'node:crypto';
import { type Engine, startEngine } from '../batches/engine.ts';
import { createReceive } from '../batches/receive/receive.ts';
import { printOf } from '../batches/rows/options.ts';
import { createRowReader } from '../batches/rows/row.ts';
import { BatchOptions, BatchRow } from '../batches/rows/schema.ts';
import { createUploads } from '../batches/uploads.ts';
import type { Config } from '../config/config.ts';
import { ensureReceiptKey } from '../db/tables/verifications.ts';
import type { LinkRules } from '../generate/slugs.ts';
import { createUploadPlaces } from '../http/routes/account/batches/upload-places.ts';
import { createCheck } from '../http/schemas/validation.ts';
import type { Log } from '../log.ts';
import { VERSION } from '../package.ts';
import { createReaders, READER_VERSIONS } from '../reading/readers.ts';
import { RENDERER_VERSION } from '../render/result-cache.ts';
import type { Tracer } from '../tracing/trace.ts';
import { createKey, createSigner } from '../verify/receipt/jws.ts';
import type { Drawing } from './drawing.ts';
import type { Stores } from './stores.ts';

/** While other work waits for a render thread, reading gets the share of one quarter of those threads. */
const SHARE_WHILE_OTHERS_WAIT = 0.25;

/**
 * Makes what verifications need besides drawing: the readers and the key of the receipts. The key of cursors is derived
 * from that one, because all gateways share it. Close the readers at the end.
 */
export const createVerifying = async (
  { readThreads, render }: Config,
  { database }: Stores,
  { pool }: Drawing,
  log: Log,
) => {
  const key = await database.read((sql) => ensureReceiptKey(sql, createKey));
  return {
    signer: createSigner(key),
    cursorKey: createHmac('sha256', key).update('cursors').digest(),
    software: { tessera: `Tessera ${VERSION}`, renderer: `renderer ${RENDERER_VERSION}`, ...READER_VERSIONS },
    readers: await createReaders(
      {
        threads: readThreads,
        share: () => (pool.hasWaiting() ? render.threads * SHARE_WHILE_OTHERS_WAIT : readThreads),
      },
      log,
    ),
  };
};

/** The result of `createVerifying`. */
export type Verifying = Awaited<ReturnType<typeof createVerifying>>;

/** A batch being received is given up when its gateway, the lease holder, was silent for this long. */
const RECEIVING_LEASE_MS = 60_000;
/** Batches of an account that are kept, for each that may be unfinished. */
const KEPT_PER_OPEN = 50;

/** Builds what the routes of batches use, and starts the work on batches. */
export const createBatches = (
  { batches, quota: { refund } }: Config,
  { database: { sql, changes }, objects }: Stores,
  drawing: Drawing,
  { signer, software }: Verifying,
  links: LinkRules & { installation(): string },
  { log, tracer }: { readonly log: Log; readonly tracer: Tracer | null },
) => {
  const { installation } = links;
  const { store, isProved: isStoreProved } = objects;
  const uploads = createUploads({ sql, store, log });
  const isImageSource = (image: string): boolean => drawing.logos.checkSyntax(image) === null;
  const checkOptions = createCheck(BatchOptions, isImageSource);
  const rows = { checkRow: createCheck(BatchRow, isImageSource) };
  const { workers, openMax, rowsMax, maxBytes, accountMaxBytes, retentionDays, countersMax } = batches;
  const engine: Engine = startEngine({
    ...drawing,
    sql,
    changes,
    store,
    isStoreProved,
    rows,
    links,
    refund,
    installation,
    workers,
    uploads,
    tracer,
    accountMaxBytes,
  });
  const options = {
    leaseHolder: randomUUID(),
    leaseMs: RECEIVING_LEASE_MS,
    maxOpen: openMax,
    maxKept: openMax * KEPT_PER_OPEN,
    maxRows: rowsMax,
    maxBytes,
    accountMaxBytes,
  };
  const receive = createReceive({ sql, store, quota: drawing.quota, log, options, wake: engine.wake });
  return {
    engine,
    async receive(...given: Parameters<typeof receive>) {
      objects.require();
      return receive(...given);
    },
    uploads,
    uploadPlaces: createUploadPlaces(),
    checkDesign: (design: unknown) => {
      const fault = checkOptions(design);
      if (fault !== null) return fault;
      const print = printOf(design as BatchOptions);
      return print.ok ? null : print.fault;
    },
    createRowReader: createRowReader.bind(null, { ...rows, links }),
    retentionDays,
    countersMax,
    report: { signer, software, installation },
    parts: { sql, store },
  };
};
