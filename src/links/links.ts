/** Builds the redirects and the recording of scans, with their bounds. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { findTarget } from '../db/tables/rules/targets.ts';
import { isUnfitScan } from '../db/tables/scans/scans.ts';
import type { ScanStore } from '../db/tables/scans/store.ts';
import { visitorSalt } from '../db/tables/scans/upkeep.ts';
import type { Log } from '../log.ts';
import { createScanClassifier } from './classify.ts';
import type { Countries } from './countries.ts';
import { createFollow } from './follow.ts';
import { createRedirects, type ReadyTarget } from './redirects.ts';
import { createExplain } from './rules/explain.ts';
import { createVisitors } from './rules/facts.ts';
import { createKeptRules } from './rules/kept.ts';
import { createScanDescriber, createVisitorHash } from './scan.ts';
import { createScanRecorder } from './scan-recorder.ts';
import { createVisitLimits } from './visit-limits.ts';

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
/** Visitors of links whose rules ask for first visits; some 15 MB. */
const VISITORS_MAX = 100_000;
/** Links with a limit. */
const LIMITS_MAX = 100_000;

/** The parts that serve short links. */
export type Links = ReturnType<typeof openLinks>;

/** Creates the redirects and the recorder of scans on a database. Sends it no query before the first visit. */
export const openLinks = (
  { sql, replica, changes, embedded }: Database,
  scanStore: Pick<ScanStore, 'insert'>,
  places: Pick<Countries, 'countryOf' | 'placeOf'>,
  log: Log,
) => {
  const rules = createKeptRules();
  const limits = createVisitLimits(LIMITS_MAX);
  const visitors = createVisitors(VISITORS_MAX, randomUUID);
  const classify = createScanClassifier(USER_AGENTS_MAX);
  const loadFrom = async (from: Sql, slug: string, isBehind: boolean): Promise<ReadyTarget | null> => {
    const answered = limits.asking(slug, isBehind);
    const target = await findTarget(from, slug);
    if (target === null || target.guard === null) return target as ReadyTarget | null;
    const { rules: texts, ...guard } = target.guard;
    if (guard.visitLimit !== null) answered(target.firstSlug, guard.people);
    return { ...target, guard: { ...guard, rulesKey: texts.length === 0 ? null : rules.keep(texts) } };
  };
  const redirects = createRedirects(
    {
      ...REDIRECTS,
      load: (slug) => loadFrom(sql, slug, false),
      loadCopy:
        replica === null
          ? undefined
          : (slug) => replica.read((replicaSql) => loadFrom(replicaSql, slug, true)),
      rulesOf: rules.find,
      changes,
    },
    log,
  );
  const scans = createScanRecorder(
    {
      ...SCANS,
      groupMax: embedded ? EMBEDDED_GROUP_MAX : GROUP_MAX,
      describe: createScanDescriber(
        classify,
        createVisitorHash((day) => visitorSalt(sql, day)),
        places.countryOf,
      ),
      insert: (rows) => scanStore.insert(rows, (count) => limits.writing(rows, count)),
      isUnfit: isUnfitScan,
    },
    log,
  );
  return {
    redirects,
    scans,
    /** Leads visits to what `redirects` finds. */
    follow: createFollow({ rules, limits, visitors, classify, places }),
    /** Explains where a described visit is led. */
    explain: createExplain({ classify, places }),
    /** Writes buffered scans for at most five seconds; what is left then is lost and counted. */
    async close(): Promise<void> {
      redirects.close();
      await scans.close(CLOSE_TIMEOUT_MS);
    },
  };
};
