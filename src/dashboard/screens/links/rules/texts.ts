/** Rules of short links as the fields of a form have them, and in words. */
import type { Rule } from '../../../api/shapes.ts';
import { exactPercent, formatMoment } from '../../../ui/format.ts';
import { HERE } from '../../../ui/zones.ts';
import { LOCALE, say } from '../../../words/say.ts';
import { faultOfUrl, listOf, toField } from '../texts.ts';

type When = Rule['when'];
export type ConditionName = keyof When;
type Device = NonNullable<When['device']>[number];
type Weekday = NonNullable<NonNullable<When['time']>['weekdays']>[number];

/** Values with their names, in the order of the form. */
type Named<T extends string> = readonly (readonly [value: T, name: string])[];

/** The conditions, in the order of the form. */
export const CONDITIONS: Readonly<Record<ConditionName, string>> = {
  device: say('Device'),
  language: say('Language'),
  country: say('Country'),
  region: say('Region'),
  city: say('City'),
  query: say('Parameters'),
  time: say('Days and times'),
  date: say('Dates'),
  visit: say('First or later visit'),
  share_percent: say('Share of the visitors'),
};

export const DEVICES: Named<Device> = [
  ['ios', 'iOS'],
  ['android', say('Android')],
  ['desktop', say('Computer')],
];

export const WEEKDAYS: Named<Weekday> = [
  ['mon', say('Mon')],
  ['tue', say('Tue')],
  ['wed', say('Wed')],
  ['thu', say('Thu')],
  ['fri', say('Fri')],
  ['sat', say('Sat')],
  ['sun', say('Sun')],
];

/** A rule as it is typed. */
export interface RuleTexts {
  readonly name: string;
  readonly destination: string;
  /** The conditions that it has. What is typed for others is not used. */
  readonly conditions: readonly ConditionName[];
  readonly device: readonly Device[];
  readonly language: string;
  readonly country: string;
  readonly region: string;
  /** One on each line, as are the values of parameters. */
  readonly city: string;
  readonly query: string;
  readonly zone: string;
  readonly weekdays: readonly Weekday[];
  readonly timeFrom: string;
  readonly timeUntil: string;
  readonly dateFrom: string;
  readonly dateUntil: string;
  readonly visit: 'first' | 'later';
  readonly share: string;
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Percent-encodes what a line cannot have. */
const encode = (text: string, others: RegExp): string =>
  text.replace(others, (each) => encodeURIComponent(each));

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return text;
  }
};

/** Writes each value on a line of its own; a parameter that may have any value stands alone. */
const writeQuery = (query: NonNullable<When['query']>): string =>
  Object.entries(query)
    .flatMap(([name, values]) => {
      const written = encode(name, /[%=\p{Cc}]|^\s|\s$/gu);
      if (values.length === 0) return [written];
      return values.map((value) => `${written}=${encode(value, /[%\p{Cc}]|^\s|\s$/gu)}`);
    })
    .join('\n');

const readQuery = (text: string): NonNullable<When['query']> => {
  const pairs = linesOf(text).map((line) => {
    const [name = '', ...value] = line.split('=');
    return { name: decode(name.trim()), value: value.length === 0 ? null : decode(value.join('=').trim()) };
  });
  const valuesOf = (name: string): string[] => {
    const values = pairs.flatMap((pair) => (pair.name === name ? [pair.value] : []));
    return values.includes(null) ? [] : values.map(String);
  };
  return Object.fromEntries(pairs.map(({ name }) => [name, valuesOf(name)]));
};

/** Returns the fields of a rule; `null`: of a new one. */
export const toRuleTexts = (rule: Rule | null): RuleTexts => {
  const when: When = rule?.when ?? {};
  const { time, date, share_percent: share } = when;
  return {
    name: rule?.name ?? '',
    destination: rule?.destination ?? '',
    conditions: Object.keys(when) as ConditionName[],
    device: when.device ?? [],
    language: (when.language ?? []).join(', '),
    country: (when.country ?? []).join(', '),
    region: (when.region ?? []).join(', '),
    city: (when.city ?? []).join('\n'),
    query: writeQuery(when.query ?? {}),
    zone: time?.zone ?? HERE,
    weekdays: time?.weekdays ?? [],
    timeFrom: time?.from ?? '',
    timeUntil: time?.until ?? '',
    dateFrom: toField(date?.from ?? null),
    dateUntil: toField(date?.until ?? null),
    visit: when.visit ?? 'first',
    share: share === undefined ? '' : String(share),
  };
};

/** Returns the time of a field. One that nobody changed keeps its seconds. */
const toMoment = (text: string, before: string | undefined): string =>
  before !== undefined && toField(before) === text ? before : new Date(text).toISOString();

/** Returns a rule as the service takes it. @param before What it was so far; `null`: it is new. */
export const toRule = (texts: RuleTexts, before: Rule | null): Rule => {
  const { zone, weekdays, timeFrom, timeUntil, dateFrom, dateUntil } = texts;
  const date = before?.when.date;
  const all: Required<When> = {
    device: [...texts.device],
    language: listOf(texts.language),
    country: listOf(texts.country.toUpperCase()),
    region: listOf(texts.region.toUpperCase()),
    city: [...linesOf(texts.city)],
    query: readQuery(texts.query),
    time: {
      zone: zone.trim(),
      ...(weekdays.length > 0 && { weekdays: [...weekdays] }),
      ...(timeFrom !== '' && { from: timeFrom }),
      ...(timeUntil !== '' && { until: timeUntil }),
    },
    date: {
      ...(dateFrom !== '' && { from: toMoment(dateFrom, date?.from) }),
      ...(dateUntil !== '' && { until: toMoment(dateUntil, date?.until) }),
    },
    visit: texts.visit,
    share_percent: Number(texts.share),
  };
  const when = Object.fromEntries(texts.conditions.map((name) => [name, all[name]])) as When;
  return { name: texts.name.trim(), when, destination: texts.destination.trim() };
};

/** Returns what the page finds wrong with a rule before it asks the service; `null`: nothing. */
export const faultOfRule = (texts: RuleTexts): string | null => {
  const { destination, conditions, weekdays, timeFrom, timeUntil, dateFrom, dateUntil } = texts;
  if (destination !== '' && faultOfUrl(destination) !== null) return faultOfUrl(destination);
  if (conditions.includes('time') && weekdays.length === 0 && timeFrom === '' && timeUntil === '')
    return say('Choose days, or enter a time.');
  return conditions.includes('date') && dateFrom === '' && dateUntil === '' ? say('Enter a date.') : null;
};

const disjunction = new Intl.ListFormat(LOCALE, { type: 'disjunction' });
const countries = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });
const languages = new Intl.DisplayNames(LOCALE, { type: 'language', fallback: 'code' });

/** Names a country or language; one that has no name in the browser stays as it is. */
const nameIn = (names: Intl.DisplayNames, code: string): string => {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
};

const namesOf = <T extends string>(named: Named<T>, values: readonly T[]): readonly string[] =>
  named.flatMap(([value, name]) => (values.includes(value) ? [name] : []));

const spanOf = ({ from, until }: NonNullable<When['time']>): string =>
  from === undefined && until === undefined ? '' : `${from ?? '00:00'}–${until ?? '24:00'}`;

/** Writes the conditions of a rule in words, each as one part. */
export const conditionsInWords = (when: When): readonly string[] => {
  const or = (values: readonly string[]) => disjunction.format(values);
  const { time = { zone: '' }, date = {} } = when;
  const parts: Readonly<Record<ConditionName, () => string>> = {
    device: () => or(namesOf(DEVICES, when.device ?? [])),
    language: () => or((when.language ?? []).map((code) => nameIn(languages, code))),
    country: () => or((when.country ?? []).map((code) => nameIn(countries, code))),
    region: () => or(when.region ?? []),
    city: () => or(when.city ?? []),
    query: () =>
      Object.entries(when.query ?? {})
        .map(([name, values]) => (values.length === 0 ? name : `${name}=${or(values)}`))
        .join(', '),
    time: () =>
      [namesOf(WEEKDAYS, time.weekdays ?? []).join(', '), spanOf(time), `(${time.zone})`]
        .filter((part) => part !== '')
        .join(' '),
    date: () =>
      [
        date.from && say('from {moment}', { moment: formatMoment(date.from) }),
        date.until && say('until {moment}', { moment: formatMoment(date.until) }),
      ]
        .filter(Boolean)
        .join(' '),
    visit: () => (when.visit === 'first' ? say('first visit of a day') : say('later visits of a day')),
    share_percent: () =>
      say('{share} of the visitors', { share: exactPercent((when.share_percent ?? 0) / 100) }),
  };
  return (Object.keys(CONDITIONS) as ConditionName[]).flatMap((name) =>
    when[name] === undefined ? [] : [parts[name]()],
  );
};
