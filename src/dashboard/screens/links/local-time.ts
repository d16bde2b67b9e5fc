/** Times as the fields of a form have them: in the reader's own time zone, to the minute. */

const MINUTE_MS = 60_000;

/** Writes an ISO 8601 time as `2026-05-01T09:00`; '' for none. */
export const toField = (iso: string | null): string => {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

/** Reads such a text as an ISO 8601 time; `null` for ''. */
export const fromField = (text: string): string | null => (text === '' ? null : new Date(text).toISOString());
