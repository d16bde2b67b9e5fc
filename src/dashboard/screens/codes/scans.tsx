import { useState } from 'preact/hooks';
import { namesOf } from '../../../../workers/lists.ts';
import { BREAKDOWNS, type Breakdown, OTHER } from '../../../lists.ts';
import { api, ask, saveBlob } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import type { LinkScans as Scans } from '../../api/shapes.ts';
import { Button, Quiet } from '../../ui/buttons.tsx';
import { SelectInput } from '../../ui/fields.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { HERE, ZONES } from '../../ui/zones.ts';
import { barsOf, type Rows, scansAsCsv } from '../figures.ts';
import { type LinkName, namedAs } from '../links/save-link.ts';
import { Figures, KeptSince, RawScans, ScanSeries } from '../scans.tsx';

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });

const DEVICES = new Map([
  ['mobile', 'Phone'],
  ['tablet', 'Tablet'],
  ['desktop', 'Computer'],
]);

/** What a breakdown calls a value that is not known. */
const UNKNOWN: Partial<Record<Breakdown, string>> = { referrer_host: 'Direct', rule: 'No rule' };

const nameOf = (kind: Breakdown, value: string | null): string => {
  if (value === null) return UNKNOWN[kind] ?? 'Unknown';
  if (value === OTHER) return 'Other';
  if (kind === 'device') return DEVICES.get(value) ?? value;
  return kind === 'country' && /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
};

/** Whether neither a proxy in front of the service nor a database of its own names countries. */
const isNeverKnown = (rows: Rows): boolean => rows.length > 0 && rows.every(({ value }) => value === null);

/** The breakdowns that say something: links without rules have none by them. */
const shownOf = (breakdowns: Scans['breakdowns']): readonly Breakdown[] =>
  namesOf(BREAKDOWNS).filter(
    (kind) => kind !== 'rule' || breakdowns.rule.some(({ value }) => value !== null),
  );

const NoCountries = () => (
  <section class="stack">
    <h3>{BREAKDOWNS.country}</h3>
    <p class="muted small">
      This service cannot tell where visitors are. Its operator can change that with a proxy that sends the
      country in a header, or with a MaxMind database named by <code>GEOIP_FILE</code>.
    </p>
  </section>
);

const Bars = ({ kind, rows }: { readonly kind: Breakdown; readonly rows: Rows }) => {
  const bars = barsOf(rows);
  const most = Math.max(1, ...bars.map((row) => row.people));
  return (
    <section class="stack">
      <h3>{BREAKDOWNS[kind]}</h3>
      {bars.length === 0 ? (
        <p class="muted small">No people yet.</p>
      ) : (
        <ul class="stack tight bars">
          {bars.map((row) => (
            <li key={row.value}>
              <span class="wrap">{nameOf(kind, row.value)}</span>
              <span>{formatNumber(row.people)}</span>
              <meter value={row.people} max={most} aria-label={nameOf(kind, row.value)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** Shows people by each of `BREAKDOWNS`. Leaves out bots and previews. */
const Breakdowns = ({ breakdowns }: { readonly breakdowns: Scans['breakdowns'] }) => (
  <div class="grid">
    {shownOf(breakdowns).map((kind) =>
      kind === 'country' && isNeverKnown(breakdowns.country) ? (
        <NoCountries key={kind} />
      ) : (
        <Bars key={kind} kind={kind} rows={breakdowns[kind]} />
      ),
    )}
  </div>
);

const INTERVALS = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['month', 'Month'],
] as const;
type Interval = (typeof INTERVALS)[number][0];
const DAY_MS = 86_400_000;
const RANGES = [
  { name: 'Last 2 days', days: 2, interval: 'hour' },
  { name: 'Last 7 days', days: 7, interval: 'hour' },
  { name: 'Last 30 days', days: 30, interval: 'day' },
  { name: 'Last 90 days', days: 90, interval: 'day' },
  { name: 'Last 12 months', days: 365, interval: 'month' },
] as const satisfies readonly { name: string; days: number; interval: Interval }[];

const csvOf = (scans: Scans): Blob => new Blob([scansAsCsv(scans)], { type: 'text/csv' });

const isEmpty = ({ totals }: Scans): boolean => totals.people + totals.bots + totals.previews === 0;

interface Period {
  readonly from: string;
  readonly interval: Interval;
  readonly time_zone: string;
}

interface ScanCardProps {
  /** Names what was scanned, and the files. */
  readonly name: string;
  readonly read: (period: Period, signal: AbortSignal) => Promise<Scans>;
  /** The short link whose single scans can be downloaded. */
  readonly slug?: string;
}

/** Shows scans over a period, as totals, a chart and breakdowns, and as a CSV file. */
export const ScanCard = ({ name, read, slug }: ScanCardProps) => {
  const [days, setDays] = useState<number>(30);
  const [interval, setInterval] = useState<Interval>('day');
  const [timeZone, setTimeZone] = useState(HERE);
  const scans = useRead(['scans', name, days, interval, timeZone], (signal) => {
    const from = new Date(Date.now() - days * DAY_MS).toISOString();
    return read({ from, interval, time_zone: timeZone }, signal);
  });
  return (
    <Card title="Scans">
      <div class="row">
        <SelectInput
          look="narrow"
          label="Range"
          value={String(days)}
          options={RANGES.map((range) => [String(range.days), range.name])}
          onChoose={(chosen) => {
            const range = RANGES.find((each) => String(each.days) === chosen);
            if (range === undefined) return;
            setDays(range.days);
            setInterval(range.interval);
          }}
        />
        <SelectInput
          look="narrow"
          label="By"
          value={interval}
          options={INTERVALS.filter(([each]) => each !== 'hour' || days <= 30)}
          onChoose={setInterval}
        />
        <SelectInput
          look="narrow"
          label="Time zone"
          value={timeZone}
          options={ZONES.map((zone) => [zone, zone])}
          onChoose={setTimeZone}
        />
      </div>
      <Loaded load={scans} what="scans">
        {(data) =>
          isEmpty(data) ? (
            <Empty title="No scans in this period.">
              <KeptSince {...data} />
              <p>Scan the code with a phone: the scan appears here within a second or two.</p>
              <Button onClick={() => void scans.refetch()}>Refresh</Button>
            </Empty>
          ) : (
            <div class="stack">
              <KeptSince {...data} />
              <Figures totals={data.totals} />
              <ScanSeries series={data.series} interval={interval} />
              <Breakdowns breakdowns={data.breakdowns} />
              <div class="row">
                <Button onClick={() => saveBlob(`scans-${name}.csv`, csvOf(data))}>Download as CSV</Button>
                {slug !== undefined && <RawScans days={days} slug={slug} />}
                <Quiet onClick={() => void scans.refetch()}>Refresh</Quiet>
              </div>
            </div>
          )
        }
      </Loaded>
    </Card>
  );
};

/** Shows the scans of a short link. Single ones are found by a slug at the address of the service only. */
export const LinkScans = ({ link }: { readonly link: LinkName }) => {
  const named = namedAs(link);
  return (
    <ScanCard
      name={link.domain === null ? link.slug : `${link.domain}-${link.slug}`}
      {...(link.domain === null && { slug: link.slug })}
      read={(period, signal) => {
        const params = { path: named.path, query: { ...period, ...named.query } };
        return ask(api.GET('/api/v1/links/{slug}/scans', { params, signal }));
      }}
    />
  );
};
