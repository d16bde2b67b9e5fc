/** What of a visit goes on to the address that a short link leads to: parameters, path, and values of templates. */
import { type Forward, UTM_NAMES } from '../db/tables/links.ts';
import { parseUri } from '../gs1/digital-link.ts';
import { AI_WORDS, aiOfName } from '../gs1/names.ts';
import { HREF_MAX } from './destination.ts';
import {
  encodePath,
  encodeQuery,
  encodeValue,
  type Fill,
  fillParts,
  isFixed,
  onceEach,
  type Placeholders,
  partsOf,
  splitAddress,
  withoutDots,
} from './template.ts';
import type { Visit } from './visit.ts';

const write = (forward: Forward | null): string =>
  JSON.stringify(forward && [forward.query, forward.path, UTM_NAMES.map((name) => forward.utm[name])]);

/** Whether links pass on the same. */
export const sameForward = (one: Forward | null, other: Forward | null): boolean =>
  write(one) === write(other);

/** A placeholder for a parameter, and its name. */
export const PARAMETER = /^query\.([\w.:~-]{1,100})$/;

/** The placeholders of short links. */
export const LINK_PLACEHOLDERS: Placeholders = {
  has: (name) => name === 'slug' || name === 'path' || PARAMETER.test(name) || aiOfName(name) !== undefined,
  shown:
    '{slug}, {path}, {query.name} for a parameter of the visit, and the AIs of a Digital Link behind the slug, such as {21} or {serial}',
  names: ['slug', 'path', ...AI_WORDS],
  refusesEncoded: false,
};

const parametersOf = (query: string): readonly string[] => query.split('&').filter((each) => each !== '');

/** Parameters are the same when their names are, decoded as in forms. What cannot be decoded is compared as it is. */
const nameOf = (parameter: string): string => {
  const [name] = parameter.split('=', 1) as [string];
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
};

/** Returns what finds the value of the first parameter of a name as it was sent; '' for none. Reads the query once. */
export const parameterFinder = (query: string): ((name: string) => string) => {
  let values: ReadonlyMap<string, string> | undefined;
  return (name) => {
    values ??= new Map(
      parametersOf(query)
        .toReversed()
        .map((each) => [nameOf(each), each.includes('=') ? each.slice(each.indexOf('=') + 1) : '']),
    );
    return values.get(name) ?? '';
  };
};

/** In a query, "+" is a space: WHATWG URL, 5.1. */
export const encodeParameter = (sent: string): string => encodeValue(sent.replaceAll('+', '%20'));

const STEM = 'https://a/';

/** The AIs in the path behind the slug. They are not checked any further. */
const elementsIn = (rest: string): ReadonlyMap<string, string> =>
  new Map(
    rest === ''
      ? []
      : parseUri(STEM + encodePath(rest))
          .elements.toReversed()
          .map(({ ai, raw }) => [ai, encodeValue(raw)]),
  );

/** Fills in what a visit brings along. Reads each part of it once, however often an address names it. */
const fillFor = (slug: string, { query, rest }: Visit): Fill => {
  const find = parameterFinder(query);
  let elements: ReadonlyMap<string, string> | undefined;
  return onceEach((name, place) => {
    if (name === 'slug') return slug;
    if (name === 'path') return place === 'path' ? encodePath(rest) : encodeValue(rest);
    const parameter = PARAMETER.exec(name)?.[1];
    if (parameter !== undefined) return encodeParameter(find(parameter));
    const ai = aiOfName(name)!;
    elements ??= elementsIn(rest);
    return elements.get(ai) ?? encodeParameter(find(ai));
  });
};

/** Joins the parameters of a destination and of a visit. Of those with one name, the ones of the winner are kept. */
export const joinQueries = (own: string, theirs: string, rule: Exclude<Forward['query'], 'drop'>): string => {
  const [ours, sent] = [parametersOf(own), parametersOf(theirs)];
  const names = new Set((rule === 'keep-own' ? ours : sent).map(nameOf));
  const others = (parameters: readonly string[]) => parameters.filter((each) => !names.has(nameOf(each)));
  return (rule === 'keep-own' ? [...ours, ...others(sent)] : [...others(ours), ...sent]).join('&');
};

/** Returns the query of a destination with the parameters of web statistics; `null`: it has none of either. */
const withUtm = (query: string | null, utm: Forward['utm']): string | null => {
  const added = UTM_NAMES.flatMap((name) =>
    utm[name] === undefined ? [] : [[`utm_${name}`, utm[name]] as const],
  );
  if (added.length === 0) return query;
  const names = new Set(added.map(([name]) => name as string));
  const kept = parametersOf(query ?? '').filter((each) => !names.has(nameOf(each)));
  const written = added.map(([name, value]) => {
    const parts = partsOf(value, 'query', LINK_PLACEHOLDERS);
    return `${name}=${parts.map((part) => (typeof part === 'string' ? encodeURIComponent(part) : `{${part.name}}`)).join('')}`;
  });
  return [...kept, ...written].join('&');
};

/** Returns the address for a visit. */
export type Leads = (slug: string, visit: Visit) => string;

const NOTHING: Forward = { query: 'drop', path: false, utm: {} };

/**
 * Prepares a destination that `checkDestination` returned. Returns `null` when visits add nothing to it.
 *
 * @param forward `null`: nothing is passed on.
 */
export const prepareDestination = (destination: string, forward: Forward | null): Leads | null => {
  // Most visits that rules lead end here.
  if (forward === null && !destination.includes('{')) return null;
  const { query: rule, path: appends, utm } = forward ?? NOTHING;
  const { before, query: asked, fragment } = splitAddress(destination);
  const query = withUtm(asked, utm);
  const [head, middle, tail] = [
    partsOf(before, 'path', LINK_PLACEHOLDERS),
    partsOf(query ?? '', 'query', LINK_PLACEHOLDERS),
    partsOf(fragment, 'fragment', LINK_PLACEHOLDERS),
  ];
  if (rule === 'drop' && !appends && [head, middle, tail].every(isFixed)) {
    const fixed = `${before}${query === null ? '' : `?${query}`}${fragment}`;
    return fixed === destination ? null : () => fixed;
  }
  return (slug, visit) => {
    const fill = fillFor(slug, visit);
    let address = fillParts(head, fill);
    if (appends && visit.rest !== '')
      address += `${address.endsWith('/') ? '' : '/'}${encodePath(visit.rest)}`;
    // It is refused for its length, and looking for the dots of millions of characters takes long.
    if (address.length > HREF_MAX) return address;
    const own = fillParts(middle, fill);
    const isAdded = rule !== 'drop' && visit.query !== '';
    const all = isAdded ? joinQueries(own, encodeQuery(visit.query), rule) : own;
    return `${withoutDots(address)}${all === '' && query === null ? '' : `?${all}`}${fillParts(tail, fill)}`;
  };
};

/** The addresses of a link to which a visit may add something. */
export interface Addresses {
  /** By destination. Others lead where they say. */
  readonly leads: ReadonlyMap<string, Leads>;
  /** Whether one of them uses what stands behind the slug. */
  readonly takesRest: boolean;
}

/** Whether an address uses what stands behind the slug. */
export const usesRest = (destination: string, forward: Forward | null): boolean =>
  forward?.path === true ||
  [destination, ...Object.values(forward?.utm ?? {})].some((text) =>
    partsOf(text, 'path', LINK_PLACEHOLDERS).some(
      (part) => typeof part !== 'string' && part.name !== 'slug' && !PARAMETER.test(part.name),
    ),
  );

/** Prepares all addresses of a link; `null`: visits add nothing to any of them. */
export const prepareDestinations = (
  destinations: readonly string[],
  forward: Forward | null,
): Addresses | null => {
  const leads = new Map<string, Leads>();
  for (const destination of destinations) {
    const prepared = prepareDestination(destination, forward);
    if (prepared !== null) leads.set(destination, prepared);
  }
  const takesRest = destinations.some((destination) => usesRest(destination, forward));
  return leads.size === 0 ? null : { leads, takesRest };
};
