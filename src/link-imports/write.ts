/** Writes links as files that `readLinks` reads back: the export. */
import { csvLines } from '../csv/write.ts';
import type { MovedLink } from './row.ts';
import { MOVED_FIELDS } from './sources.ts';

/** A list in a cell: with semicolons between, or JSON where a text has one or looks like JSON. */
const listCell = (texts: readonly string[]): string =>
  texts.some((text) => text.includes(';') || text.trimStart().startsWith('['))
    ? JSON.stringify(texts)
    : texts.join(';');

/** The name of a rule set is written as JSON where it begins as JSON does. */
const ruleSetText = (ruleSet: unknown): unknown =>
  typeof ruleSet === 'string' && /^\s*[{"]/.test(ruleSet) ? JSON.stringify(ruleSet) : ruleSet;

/** The fields of a link by their names in files. */
const fieldsOf = (link: MovedLink): Readonly<Record<(typeof MOVED_FIELDS)[number], unknown>> => ({
  slug: link.slug,
  domain: link.domain,
  first_slug: link.firstSlug,
  other_slugs: link.otherSlugs,
  destination: link.destination,
  name: link.name,
  tags: link.tags,
  external_id: link.externalId,
  folder: link.folder,
  active_from: link.activeFrom,
  active_until: link.activeUntil,
  before_destination: link.beforeDestination,
  after_destination: link.afterDestination,
  forward: link.forward,
  rules: link.rules,
  rule_set: ruleSetText(link.ruleSet),
  visit_limit: link.visitLimit,
  password_hash: link.passwordHash,
  created_at: link.createdAt,
  scans: link.scans,
  not_in_file: link.notInFile,
});

/** The header row of CSV. */
export const MOVED_HEADER = csvLines([MOVED_FIELDS]);

/** Returns the lines of links. */
export const movedLines = (links: readonly MovedLink[], format: 'csv' | 'ndjson'): string => {
  if (format === 'ndjson') return links.map((link) => `${JSON.stringify(fieldsOf(link))}\n`).join('');
  return csvLines(
    links.map((link) => {
      const fields = fieldsOf(link);
      return MOVED_FIELDS.map((name) => {
        const value = fields[name];
        if (Array.isArray(value) && name !== 'rules') return listCell(value);
        return typeof value === 'object' && value !== null
          ? JSON.stringify(value)
          : (value as string | number | null);
      });
    }),
  );
};
