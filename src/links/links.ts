/** Builds the redirects and the recording of scans, with their bounds. */

import type { Database } from '../db/database.ts';
import { findTarget } from '../db/tables/links.ts';
import { insertScans, isUnfitScan } from '../db/tables/scans/scans.ts';
import { visitorSalt } from '../db/tables/scans/upkeep.ts';
import type { Log } from '../log.ts';
import { createScanClassifier } from './classify.ts';
import type { Countries } from './countries.ts';
import { createRedirects } from './redirects.ts';
import { createScanDescriber, createVisitorHash } from './scan.ts';
import { createScanRecorder } from './scan-recorder.ts';

const REDIRECTS = {
  max: 100_000,
  maxLoads: 200,
  loadTimeoutMs: 2000,
  refreshTimeoutMs: 250,
  retryMs: 1000,
  freshMs: 60_000,
  unknownMs: 10_000,
  freshWithoutNewsMs: 900,
  /** Visited links are served for a day without the database, so an outage may last a night. */
  staleMs: 24 * 3_600_000,
};

/** A scan takes up to about 2 KB, so the buffer takes at most 100 MB. */
const SCANS = { maxBuffered: 50_000, flushMs: 250, retryMs: 1000 };
/** The embedded database has one connection, so everything else waits for a group: some 10 ms for 100 scans. */
const GROUP_MAX = 5000;
const EMBEDDED_GROUP_MAX = 100;
const USER_AGENTS_MAX = 10_000;
const CLOSE_TIMEOUT_MS = 5000;

/** The parts that serve short links. */
export type Links = ReturnType<typeof openLinks>;

/** Creates the redirects and the recorder of scans on a database. Sends it no query before the first visit. */
export const openLinks = (
  { sql, changes, embedded }: Database,
  { countryOf }: Pick<Countries, 'countryOf'>,
  log: Log,
) => {
  const redirects = createRedirects({ ...REDIRECTS, load: (slug) => findTarget(sql, slug), changes }, log);
  const scans = createScanRecorder(
    {
      ...SCANS,
      groupMax: embedded ? EMBEDDED_GROUP_MAX : GROUP_MAX,
      describe: createScanDescriber(
        createScanClassifier(USER_AGENTS_MAX),
        createVisitorHash((day) => visitorSalt(sql, day)),
        countryOf,
      ),
      insert: (rows) => insertScans(sql, rows),
      isUnfit: isUnfitScan,
    },
    log,
  );
  return {
    redirects,
    scans,
    /** Writes buffered scans for at most five seconds; what is left then is lost and counted. */
    async close(): Promise<void> {
      redirects.close();
      await scans.close(CLOSE_TIMEOUT_MS);
    },
  };
};
