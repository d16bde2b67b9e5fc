/** Where and when a link leads, as the fields of a form have it: texts, where '' means none. */
import type { Link, RouteChange } from '../../api/shapes.ts';
import { faultOfUrl } from '../../ui/form.tsx';

const MINUTE_MS = 60_000;

/** Writes an ISO 8601 time in the reader's own time zone, to the minute, as `2026-05-01T09:00`. */
const toField = (iso: string | null): string => {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

/** Attributes of an input that takes a time in the reader's own time zone. */
export const TIME = { type: 'datetime-local', max: '9998-12-31T23:59' } as const;

/** Returns when a link begins and ends, and where it leads at other times. */
export const toTexts = (link: Link) => ({
  active_from: toField(link.active_from),
  active_until: toField(link.active_until),
  before_destination: link.before_destination ?? '',
  after_destination: link.after_destination ?? '',
});

/** The texts of some of the fields. */
export type RouteTexts = Partial<ReturnType<typeof toTexts> & { readonly destination: string }>;

/** Returns the texts as the service takes them. */
export const toChange = (texts: RouteTexts): RouteChange =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      if (text === '') return [name, null];
      return [name, name.startsWith('active_') ? new Date(text).toISOString() : text];
    }),
  );

/** Returns what is wrong with the texts, before the service is asked; `null` when nothing is. */
export const faultOfTexts = (texts: RouteTexts): string | null => {
  const {
    destination,
    active_from: from,
    active_until: until,
    before_destination,
    after_destination,
  } = texts;
  if (destination !== undefined && faultOfUrl(destination) !== null) return faultOfUrl(destination);
  if (from && until && from >= until) return 'The end must come after the start.';
  const faults = [before_destination, after_destination].map((url) => (url ? faultOfUrl(url) : null));
  return faults.find((fault) => fault !== null) ?? null;
};
