import { createHmac } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { ensureReceiptKey } from '../db/tables/verifications/receipt-key.ts';
import type { Log } from '../log.ts';
import { createReaders, READER_VERSIONS } from '../reading/readers.ts';
import { RENDERER_VERSION } from '../render/version.ts';
import { createKey, createSigner } from '../verify/receipt/jws.ts';
import { VERSION } from '../version.ts';
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
  const key = await ensureReceiptKey(database.sql, createKey);
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
