/** Scans that wait in Redis, where gateways have both Redis and ClickHouse. */
import { startConsumer } from '../clickhouse/stream/consumer.ts';
import { packScans } from '../clickhouse/stream/entry.ts';
import { openScanStream, type StreamStats } from '../clickhouse/stream/stream.ts';
import type { Sql } from '../db/client.ts';
import { isUnfitScan } from '../db/tables/scans/scans.ts';
import type { ScanStore } from '../db/tables/scans/store.ts';
import { countScans } from '../db/tables/scans/totals.ts';
import { createScanWriter } from '../links/scan-recorder.ts';
import type { Log } from '../log.ts';
import type { Ping } from '../metrics/process.ts';

/** What metrics need of the scans that wait. */
export interface ShownStream {
  readonly ping: Ping;
  readonly stats: () => StreamStats;
}

interface StreamOptions {
  readonly sql: Sql;
  readonly url: string;
  readonly maxBytes: number;
  /** Inserts what the stream has. */
  readonly newInsert: () => ScanStore['insert'];
}

/** Opens the stream, and starts a consumer. */
export const startScanStream = ({ sql, url, maxBytes, newInsert }: StreamOptions, log: Log) => {
  const stream = openScanStream(url, maxBytes, log);
  const newWriter = () => {
    const insert = newInsert();
    const options = {
      describe: async (rows: Parameters<typeof insert>[0]) => rows,
      insert: (rows: Parameters<typeof insert>[0]) => insert(rows, (count) => count()),
      isUnfit: isUnfitScan,
    };
    const write = createScanWriter(options, log);
    return (rows: Parameters<typeof insert>[0]) => write(rows, () => {});
  };
  const consumer = startConsumer(stream, newWriter, log);
  void stream.forgetKilled().catch(() => {});
  let appended: string | null = null;

  const insert: ScanStore['insert'] = async (rows, counting) => {
    const group = rows[0]?.id;
    if (group === undefined) return;
    if (appended !== group) await stream.append(await packScans(rows));
    appended = group;
    // Its consumer counts the group too, unless that is done: here, so that limits of links are not behind.
    await counting(() => countScans(sql, group, rows));
  };

  return {
    insert,
    shown: { ping: stream.ping, stats: stream.stats } satisfies ShownStream,
    async close(): Promise<void> {
      await consumer.stop();
      await stream.close();
    },
  };
};
