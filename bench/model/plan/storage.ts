/** What the months of a plan leave on disks: codes, links, scans, usage, batches. Pure. */
import { recordOf, sum } from '../../stats.ts';
import type { Law, Rates } from '../curve.ts';
import { BATCH_CODE } from '../model.ts';
import { accountsOf, loadsOf, S_PER_MONTH } from './load.ts';
import type { Plan } from './plan-file.ts';

const GB = 1e9;
const S_PER_DAY = 86_400;
const DAYS_A_MONTH = 365 / 12;

/** Bytes in Postgres with indexes: docs/operations/stores.md, "Storage". A link that is gone leaves `slug`. */
const BYTES = { code: 340, link: 230, slug: 180, scan: 350, picture: 200, hour: 250, day: 150 } as const;
/** What a scan of a link that has ten a month adds to that: its counts. Links with more scans share them. */
const COUNTS = { bytes: 1050, scansAMonth: 10 } as const;
/** After 90 days, usage by hour becomes usage by day. */
const HOURLY_MONTHS = 3;

const ROWS = ['code', 'link', 'scan', 'picture'] as const;
type Kept = (typeof ROWS)[number];

/** What a call of each kind leaves in Postgres, for each of its codes; nothing where it is not named. */
const KEPT: Readonly<Record<string, readonly Kept[]>> = {
  redirect: ['scan'],
  resolve: ['scan'],
  'bulk 10': ['code'],
  'bulk 100': ['code'],
  'bulk 10 dynamic': ['code', 'link'],
  'bulk 100 dynamic': ['code', 'link'],
  'save plain': ['code'],
  'save dynamic': ['code', 'link'],
  'signed miss 300': ['picture'],
  [BATCH_CODE]: ['code', 'link'],
};

/** Whether a call of that kind leaves such a row. */
export const keeps = (kind: string, kept: Kept): boolean => KEPT[kind]?.includes(kept) ?? false;

const countOf = (law: Law, rates: Rates, kept: Kept): number =>
  sum(
    Object.entries(rates)
      .filter(([kind]) => keeps(kind, kept))
      .map(([kind, perS]) => perS * S_PER_MONTH * Math.max(1, law.kinds.get(kind)!.cost.codes)),
  );

/** Adds up the last `months` of the values before and at `index`; all of them without `months`. */
const keptOf = (values: readonly number[], index: number, months = index + 1): number =>
  sum(values.slice(Math.max(0, index + 1 - months), index + 1));

/** Returns the months of a plan and, if `retention.years` is longer, the months after it, which grow alike. */
export const storageOf = (law: Law, plan: Plan) => {
  const { retention } = plan;
  const months = loadsOf(plan, Math.max(plan.months, 12 * retention.years));
  const counts = recordOf(ROWS, (kept) => months.map(({ mean }) => countOf(law, mean, kept)));
  // An account makes calls of a kind in at most as many hours of a day as it makes calls.
  const hours = months.map((_, i) =>
    sum(
      plan.tenants.map(
        (tenant) =>
          accountsOf(tenant, i) *
          DAYS_A_MONTH *
          sum(Object.values(tenant.callsADay).map((calls) => Math.min(24, calls))),
      ),
    ),
  );
  const scanBytes = BYTES.scan + COUNTS.bytes * Math.min(1, COUNTS.scansAMonth / retention.scansALink);
  const linksMonths = retention.linksMonths ?? months.length;
  const batchBytes = law.kinds.get(BATCH_CODE)?.cost.bytes.batches ?? 0;
  return months.map(({ name, mean }, i) => {
    const lost = keptOf(counts.link, i) - keptOf(counts.link, i, linksMonths);
    const hourly = keptOf(hours, i, HOURLY_MONTHS);
    const daily = (keptOf(hours, i) - hourly) / 24;
    return {
      month: name,
      codes: (keptOf(counts.code, i, retention.codesMonths) * BYTES.code) / GB,
      links: (keptOf(counts.link, i, linksMonths) * BYTES.link + lost * BYTES.slug) / GB,
      scans: (keptOf(counts.scan, i, retention.scansMonths) * scanBytes) / GB,
      /** Usage by hour and day, and signed pictures that are paid this month. */
      ledger: (hourly * BYTES.hour + daily * BYTES.day + counts.picture[i]! * BYTES.picture) / GB,
      /** Results of batches, in the store of batches: the mean of the month. */
      batches: ((mean[BATCH_CODE] ?? 0) * retention.batchDays * S_PER_DAY * batchBytes) / GB,
    };
  });
};

/** GB at the end of a month. */
export type Stored = Readonly<ReturnType<typeof storageOf>[number]>;

/** Returns what Postgres stores. */
export const postgresGb = ({ codes, links, scans, ledger }: Stored): number => codes + links + scans + ledger;
