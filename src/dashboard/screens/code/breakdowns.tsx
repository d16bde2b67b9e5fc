import { namesOf } from '../../../../workers/lists.ts';
import { BREAKDOWNS, type Breakdown, OTHER } from '../../../lists.ts';
import type { LinkScans } from '../../api/shapes.ts';
import { formatNumber } from '../../ui/format.ts';
import { barsOf, type Rows } from './bars.ts';

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });

const DEVICES = new Map([
  ['mobile', 'Phone'],
  ['tablet', 'Tablet'],
  ['desktop', 'Computer'],
]);

const nameOf = (kind: Breakdown, value: string | null): string => {
  if (value === null) return kind === 'referrer_host' ? 'Direct' : 'Unknown';
  if (value === OTHER) return 'Other';
  if (kind === 'device') return DEVICES.get(value) ?? value;
  return kind === 'country' && /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
};

/** Whether neither a proxy in front of the service nor a database of its own names countries. */
const isNeverKnown = (rows: Rows): boolean => rows.length > 0 && rows.every(({ value }) => value === null);

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
        <ul class="bars">
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
export const Breakdowns = ({ breakdowns }: { readonly breakdowns: LinkScans['breakdowns'] }) => (
  <div class="grid">
    {namesOf(BREAKDOWNS).map((kind) =>
      kind === 'country' && isNeverKnown(breakdowns.country) ? (
        <NoCountries key={kind} />
      ) : (
        <Bars key={kind} kind={kind} rows={breakdowns[kind]} />
      ),
    )}
  </div>
);
