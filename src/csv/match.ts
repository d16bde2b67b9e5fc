/** Maps the columns of a file to fields. Runs in the gateway, the CLI and browsers. */
import { ok, type Result, refused } from '../result.ts';
import { FIELDS_LISTED, fieldHint } from './nearest.ts';
import { foldName, SYNONYMS } from './synonyms.ts';

/** Explicit mapping from fields to column names; `null`: no column has the field. */
export type Mapping = Readonly<Record<string, string | null>>;

/** The field of each column, in the order of the columns; `null`: none. */
export type Matched = readonly (string | null)[];

/** What a header row is matched with. */
export interface Wanted {
  readonly fields: readonly string[];
  /** Explicitly mapped fields. The others are matched by name. */
  readonly mapping?: Mapping;
  /** The option for explicit mapping, for messages, for example `--column`. */
  readonly byHand: string;
}

/** Quotes a column name for messages, on one line and with bounded length. */
export const quoteName = (name: string): string =>
  `"${name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 100)}"`;

const NAMES_SHOWN = 20;

/** Lists names for messages. */
export const listNames = (names: readonly string[]): string =>
  `${names.slice(0, NAMES_SHOWN).map(quoteName).join(', ')}${names.length > NAMES_SHOWN ? ', …' : ''}`;

/** Maximum length of a column name. */
export const NAME_MAX_LENGTH = 1000;

/** The column names as written, and as folded by `foldName`. */
interface Names {
  readonly names: readonly string[];
  readonly folded: readonly string[];
}

/** Returns the indexes of the columns with a name: exact matches, otherwise folded ones. */
const findColumns = ({ names, folded }: Names, name: string): readonly number[] => {
  const having = (all: readonly string[], wanted: string) =>
    all.flatMap((own, index) => (own === wanted ? [index] : []));
  const exact = having(names, name);
  return exact.length > 0 ? exact : having(folded, foldName(name));
};

const matchByHand = (
  written: Names,
  { fields, mapping = {}, byHand }: Wanted,
  matched: (string | null)[],
): string | null => {
  for (const [field, name] of Object.entries(mapping)) {
    if (!fields.includes(field))
      return `${byHand} names ${quoteName(field)}, which is no field${fieldHint(field, fields)}; ${FIELDS_LISTED}`;
    if (name === null) continue;
    const [at, ...more] = findColumns(written, name.trim());
    if (at === undefined)
      return `the header row has no column ${quoteName(name)}, which ${byHand} names for ${field}; its columns are: ${listNames(written.names)}`;
    if (more.length > 0) return `the header row has the column ${quoteName(name)} twice`;
    if (matched[at] !== null)
      return `${byHand} names the column ${quoteName(name)} for ${matched[at]} and for ${field}; a column is one field`;
    matched[at] = field;
  }
  return null;
};

/**
 * Finds the columns of fields by name. A field's own name takes precedence over its synonyms, and an exact match over
 * everything.
 */
const matchByName = (
  { names, folded }: Names,
  { fields, mapping = {}, byHand }: Wanted,
  matched: (string | null)[],
): string | null => {
  const open = fields.filter((field) => !Object.hasOwn(mapping, field));
  const tiers: ((field: string, index: number) => boolean)[] = [
    (field, index) => names[index] === field,
    (field, index) => folded[index] === foldName(field),
    (field, index) => SYNONYMS.get(field)?.includes(folded[index]!) ?? false,
  ];
  for (const isNamed of tiers) {
    for (const field of open) {
      if (matched.includes(field)) continue;
      const [at, other] = names.flatMap((_, index) =>
        matched[index] === null && isNamed(field, index) ? [index] : [],
      );
      if (at === undefined) continue;
      if (other === undefined) matched[at] = field;
      else if (names[at] === names[other])
        return `the header row has the column ${quoteName(names[at]!)} twice`;
      else
        return `the columns ${quoteName(names[at]!)} and ${quoteName(names[other]!)} can both be ${field}; say with ${byHand} which one is`;
    }
  }
  return null;
};

/** Returns the field of each column, or why that is ambiguous. It does not check for missing columns. */
export const matchColumns = (names: readonly string[], wanted: Wanted): Result<Matched, string> => {
  if (names.some((name) => name.length > NAME_MAX_LENGTH))
    return refused(`the header row has a name of more than ${NAME_MAX_LENGTH} characters`);
  const written = { names, folded: names.map(foldName) };
  const matched: (string | null)[] = names.map(() => null);
  const fault = matchByHand(written, wanted, matched) ?? matchByName(written, wanted, matched);
  return fault === null ? ok(matched) : refused(fault);
};

/** Says that no column is `data`, and what to do. @param besides What else it has or lacks: `no other, and `. */
export const tellMissingData = (names: readonly string[], byHand: string, besides = ''): string =>
  `the header row has ${besides}no column "data", and none that is called ${SYNONYMS.get('data')!.slice(0, 4).join(', ')}; its columns are: ${listNames(names)}; say with ${byHand} which one it is`;
