import type { LinkScans } from '../../api/shapes.ts';
import { number } from '../../ui/format.ts';

type Rows = LinkScans['breakdowns']['device'];

const NAMES = {
  device: 'Devices',
  os: 'Operating systems',
  browser: 'Browsers',
  country: 'Countries',
  referrer_host: 'Referrers',
} as const satisfies Record<keyof LinkScans['breakdowns'], string>;

const SHOWN = 8;

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });

const DEVICES = new Map([
  ['mobile', 'Phone'],
  ['tablet', 'Tablet'],
  ['desktop', 'Computer'],
]);

const nameOf = (kind: keyof typeof NAMES, value: string | null): string => {
  if (value === null) return kind === 'referrer_host' ? 'Direct' : 'Unknown';
  if (kind === 'device') return DEVICES.get(value) ?? value;
  return kind === 'country' && /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
};

/** Whether nothing in front of the service and no database of its own names countries. */
const isNeverKnown = (rows: Rows): boolean => rows.length > 0 && rows.every(({ value }) => value === null);

const NoCountries = () => (
  <section class="stack">
    <h3>{NAMES.country}</h3>
    <p class="muted small">
      Nothing tells this service where visitors are. Its operator can change that: with a proxy that sends the
      country in a header, or with a MaxMind database named by <code>GEOIP_FILE</code>.
    </p>
  </section>
);

const Bars = ({ kind, rows }: { readonly kind: keyof typeof NAMES; readonly rows: Rows }) => {
  const people = rows.filter((row) => row.people > 0).slice(0, SHOWN);
  const most = Math.max(1, ...people.map((row) => row.people));
  return (
    <section class="stack">
      <h3>{NAMES[kind]}</h3>
      {people.length === 0 ? (
        <p class="muted small">No people yet.</p>
      ) : (
        <ul class="bars">
          {people.map((row) => (
            <li key={row.value}>
              <span class="wrap">{nameOf(kind, row.value)}</span>
              <span>{number(row.people)}</span>
              <meter value={row.people} max={most} aria-label={nameOf(kind, row.value)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** Shows people by device, system, browser, country and referrer. Leaves out bots and previews. */
export const Breakdowns = ({ breakdowns }: { readonly breakdowns: LinkScans['breakdowns'] }) => (
  <div class="grid">
    {(Object.keys(NAMES) as (keyof typeof NAMES)[]).map((kind) =>
      kind === 'country' && isNeverKnown(breakdowns.country) ? (
        <NoCountries key={kind} />
      ) : (
        <Bars key={kind} kind={kind} rows={breakdowns[kind]} />
      ),
    )}
  </div>
);
