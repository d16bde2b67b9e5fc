/** Scans broken down: bars by what is known of the visitors, the busiest links, and the hours of the week. */
import type { ComponentChildren } from 'preact';
import { namesOf } from '../../../../workers/lists.ts';
import { BREAKDOWNS, type Breakdown, OTHER } from '../../../lists.ts';
import { toScreenPath } from '../../api/client.ts';
import type { ScanBreakdowns } from '../../api/shapes.ts';
import { count, formatNumber, percent } from '../../ui/format.ts';
import { LOCALE, say, sayWith } from '../../words/say.ts';
import { barsOf, type Rows } from './bars.ts';

const regions = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });

const DEVICES = new Map([
  ['mobile', say('Phone')],
  ['tablet', say('Tablet')],
  ['desktop', say('Computer')],
]);

/** What a breakdown calls a value that is not there. */
const NONE: Partial<Record<Breakdown, string>> = { referrer_host: say('Direct'), rule: say('No rule') };

const nameOf = (kind: Breakdown, value: string | null): string => {
  if (value === null) return NONE[kind] ?? say('Unknown');
  if (value === OTHER) return say('Other');
  if (kind === 'device') return DEVICES.get(value) ?? value;
  return kind === 'country' && /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
};

interface Bar {
  readonly key: string;
  /** What is counted, in words. */
  readonly name: string;
  readonly label: ComponentChildren;
  readonly people: number;
}

interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** All people, of whom each bar shows its share; absent: they are not known. */
  readonly of?: number;
}

const Bars = ({ title, bars, of }: BarsProps) => {
  const most = Math.max(1, ...bars.map(({ people }) => people));
  return (
    <section class="stack">
      <h3>{title}</h3>
      {bars.length === 0 ? (
        <p class="muted small">{say('No people yet.')}</p>
      ) : (
        <ul class="stack tight bars">
          {bars.map(({ key, name, label, people }) => (
            <li key={key}>
              <span class="wrap">{label}</span>
              <span>
                {formatNumber(people)}
                {of !== undefined && <span class="muted small"> {percent(people / of)}</span>}
              </span>
              <meter value={people} max={most} aria-label={name} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const NoCountries = () => (
  <section class="stack">
    <h3>{BREAKDOWNS.country}</h3>
    <p class="muted small">
      {sayWith(
        'The country of none of these scans is known: no proxy in front of this service named it in a header, and no country database ({code}) knew the address.',
        { code: <code>GEOIP_FILE</code> },
      )}
    </p>
  </section>
);

interface BreakdownProps {
  readonly kind: Breakdown;
  readonly rows: Rows;
  /** Returns where only the scans that a rule led are shown; absent: a rule is chosen already, or cannot be. */
  readonly hrefOfRule?: ((rule: string) => string) | undefined;
}

const BreakdownBars = ({ kind, rows, hrefOfRule }: BreakdownProps) => {
  if (kind === 'country' && rows.length > 0 && rows.every(({ value }) => value === null))
    return <NoCountries />;
  const bars = barsOf(rows, NONE[kind] !== undefined).map(({ value, people }) => {
    const name = nameOf(kind, value);
    const isRule = kind === 'rule' && value !== null && value !== OTHER && hrefOfRule !== undefined;
    return { key: name, name, label: isRule ? <a href={hrefOfRule(value)}>{name}</a> : name, people };
  });
  const of = bars.reduce((sum, { people }) => sum + people, 0);
  return <Bars title={BREAKDOWNS[kind]} bars={bars} of={of} />;
};

const BusyLinks = ({ links }: Pick<ScanBreakdowns, 'links'>) => (
  <Bars
    title={say('Most scanned')}
    bars={links
      .filter(({ people }) => people > 0)
      .slice(0, 8)
      .map(({ code_id: id, slug, name, people }) => ({
        key: id,
        name: name ?? slug,
        label: <a href={toScreenPath(`/codes/${id}`)}>{name ?? slug}</a>,
        people,
      }))}
  />
);

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Monday to Sunday: 5 January 1970 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, index) => new Date(Date.UTC(1970, 0, 5 + index)));
const shortDays = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
const longDays = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });
const timeOf = (hour: number): string => times.format(new Date(Date.UTC(1970, 0, 5, hour)));
/** Every sixth hour has its name above it: more have no room on a phone. */
const NAMED_HOURS = 6;

/** Shows the people of each hour of the week: the more, the stronger the colour of its cell. */
const Hours = ({ hours }: Pick<ScanBreakdowns, 'hours'>) => {
  const places = new Map(hours.map(({ weekday, hour, people }) => [weekday * 24 + hour, people]));
  const most = Math.max(1, ...places.values());
  return (
    <section class="stack">
      <h3>{say('Hours of the week')}</h3>
      <table class="hours">
        <caption class="hidden">{say('People by hour of the week')}</caption>
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                <span class={hour % NAMED_HOURS === 0 ? '' : 'hidden'}>{timeOf(hour)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((day, index) => (
            <tr key={index}>
              <th scope="row">{shortDays.format(day)}</th>
              {HOURS.map((hour) => {
                const people = places.get((index + 1) * 24 + hour) ?? 0;
                const words = `${longDays.format(day)}, ${timeOf(hour)}: ${count(people, 'person', 'people')}`;
                return (
                  <td key={hour} title={words} style={{ '--share': Math.sqrt(people / most) }}>
                    <span class="hidden">{formatNumber(people)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** The breakdowns that say something: links without rules have none by them. */
const shownOf = (breakdowns: ScanBreakdowns['breakdowns']): readonly Breakdown[] =>
  namesOf(BREAKDOWNS).filter(
    (kind) => kind !== 'rule' || breakdowns.rule.some(({ value }) => value !== null),
  );

interface BreakdownsProps extends Pick<BreakdownProps, 'hrefOfRule'> {
  readonly scans: ScanBreakdowns;
  /** Whether there may be more than one link. */
  readonly hasLinks: boolean;
}

/** Shows people by link, by each of `BREAKDOWNS` and by hour of the week. Leaves out bots and previews. */
export const Breakdowns = ({ scans, hasLinks, hrefOfRule }: BreakdownsProps) => (
  <>
    <div class="grid">
      {hasLinks && <BusyLinks links={scans.links} />}
      {shownOf(scans.breakdowns).map((kind) => (
        <BreakdownBars key={kind} kind={kind} rows={scans.breakdowns[kind]} hrefOfRule={hrefOfRule} />
      ))}
    </div>
    <Hours hours={scans.hours} />
  </>
);
