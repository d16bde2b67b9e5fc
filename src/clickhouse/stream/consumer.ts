/** What takes groups of scans from the stream and inserts them. */
import type { ScanRow } from '../../db/tables/scans/scans.ts';
import { startLoop } from '../../execution/loops.ts';
import type { Log } from '../../log.ts';
import { unpackScans } from './entry.ts';
import type { Entry, ScanStream } from './stream.ts';

const PAUSE_MS = 500;
/** How often it looks at what waits, and for entries of gateways that were killed. */
const LOOK_MS = 5000;

/** Inserts a group, or throws; call it again then. The same group counts once. */
export type WriteScans = (rows: readonly ScanRow[]) => Promise<void>;

interface Taken {
  readonly entry: Entry;
  /** `null`: not read yet. */
  rows: readonly ScanRow[] | null;
  readonly write: WriteScans;
  isWritten: boolean;
}

/**
 * Starts a consumer, which inserts one entry after the other, and removes each when it is in both stores. While one
 * cannot be inserted it keeps trying, until another gateway has taken the entry.
 *
 * @param newWriter Makes what inserts one group.
 */
export const startConsumer = (stream: ScanStream, newWriter: () => WriteScans, log: Log) => {
  let taken: Taken | null = null;
  let lookAtMs = 0;
  let mayBeAbandoned = true;

  const look = async (): Promise<void> => {
    if (Date.now() < lookAtMs) return;
    await stream.look();
    lookAtMs = Date.now() + LOOK_MS;
    mayBeAbandoned = true;
  };

  const take = async (): Promise<Entry | null> => {
    if (mayBeAbandoned) {
      const abandoned = await stream.takeAbandoned();
      if (abandoned !== null) return abandoned;
      mayBeAbandoned = false;
    }
    return stream.takeNext();
  };

  const read = async ({ id, packed }: Entry): Promise<readonly ScanRow[]> => {
    try {
      return await unpackScans(packed);
    } catch (err) {
      log.error({ err, id, bytes: packed.length }, 'an entry of the stream holds no scans; removing it');
      return [];
    }
  };

  const finish = async (one: Taken): Promise<void> => {
    one.rows ??= await read(one.entry);
    if (!one.isWritten) await one.write(one.rows);
    one.isWritten = true;
    await stream.remove(one.entry);
  };

  const round = async (): Promise<'more' | 'idle'> => {
    await look();
    // Another gateway may have inserted it so long ago that ClickHouse does not know the block.
    if (taken !== null && !(await stream.isOwn(taken.entry))) taken = null;
    if (taken === null) {
      const entry = await take();
      if (entry === null) return 'idle';
      taken = { entry, rows: null, write: newWriter(), isWritten: false };
    }
    await finish(taken);
    taken = null;
    return 'more';
  };

  return startLoop('scan_stream', PAUSE_MS, round, log);
};
