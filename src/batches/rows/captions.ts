/** What the captions of rows name: what every code has, columns and counters, with a width as in templates. */
import { findUnknown, parseCaption } from '../../csv/caption.ts';
import { namesOf, type Placeholder, parseTemplate } from '../../csv/template.ts';
import type { Print } from '../../generate/request/print.ts';
import { CODE_NAMES, contentValues, fillWords, type ValueOf } from '../../generate/request/words.ts';
import { ok, type Result, refused } from '../../result.ts';
import type { BatchRow } from './schema.ts';
import { type CounterNumber, type Counters, isOwnText } from './texts.ts';

/** What every row's caption may name. A row has no id before its code is saved. */
const ROW_NAMES: readonly string[] = CODE_NAMES.filter((name) => name !== 'id');
/** Those that are known when the short link is. */
const LATE: readonly string[] = ['slug', 'short_url'];

/** The columns and counters that a caption names. */
export interface CaptionPlan {
  readonly parts: readonly Placeholder[];
}

/** Reads a name as templates do: `serial:06` is the column or counter `serial` with six digits. */
const readPlace = (name: string): Result<Placeholder, string> => {
  const parsed = parseTemplate(`{${name}}`);
  if (!parsed.ok) return parsed;
  const [part] = parsed.value.parts;
  return part === undefined || typeof part === 'string' ? refused(`has no name in {${name}}`) : ok(part);
};

const readPlaces = (names: readonly string[]): Result<readonly Placeholder[], string> => {
  const parts: Placeholder[] = [];
  for (const name of names) {
    if (ROW_NAMES.includes(name)) continue;
    const place = readPlace(name);
    if (!place.ok) return place;
    parts.push(place.value);
  }
  return ok(parts);
};

/** Reads the caption of all rows. Returns what is wrong with it. */
export const planCaption = (caption: string | undefined): Result<CaptionPlan | null, string> => {
  if (caption === undefined || caption === '') return ok(null);
  const parsed = parseCaption(caption, null);
  if (!parsed.ok) return parsed;
  const parts = readPlaces(parsed.value.names);
  return parts.ok ? ok({ parts: parts.value }) : parts;
};

/** Returns the columns that a row's caption names. Those that cannot be read are found by `fillRowCaption`. */
export const captionedBy = ({ caption }: Print): readonly string[] => {
  const places = readPlaces(caption?.template.names ?? []);
  return places.ok ? namesOf({ parts: places.value }) : [];
};

/** What a row's caption may say. */
interface RowTexts {
  readonly row: BatchRow;
  readonly values: ReadonlyMap<string, string>;
  readonly content: string;
  readonly counters: Counters;
  readonly numberOf: CounterNumber;
  /** The columns and counters that the options of all rows name. */
  readonly names: readonly string[];
}

const valuesFor = (
  { row, values, content, counters, numberOf }: RowTexts,
  places: ReadonlyMap<string, Placeholder>,
): ValueOf => {
  const ofContent = contentValues(content);
  const textOf = (name: string): string => {
    if (Object.hasOwn(counters, name)) return String(numberOf(counters[name]!));
    return (isOwnText(name) ? row[name] : values.get(name)) ?? '';
  };
  return (written) => {
    if (LATE.includes(written)) return undefined;
    const place = places.get(written);
    if (place === undefined) return ofContent(written) ?? textOf(written);
    const text = textOf(place.name);
    return text === '' ? text : text.padStart(place.width ?? 0, '0');
  };
};

/**
 * Returns the print of a row with the caption that it says, without its short link, which `layOutRow` adds. A caption of its
 * own may name what the row has. Returns what is wrong with it.
 */
export const fillRowCaption = (print: Print, texts: RowTexts): Result<Print, string> => {
  const names = print.caption?.template.names ?? [];
  const places = new Map<string, Placeholder>();
  for (const name of names) {
    if (ROW_NAMES.includes(name)) continue;
    const place = readPlace(name);
    if (!place.ok) return place;
    places.set(name, place.value);
  }
  const has = (name: string): boolean =>
    texts.names.includes(name) || texts.values.has(name) || isOwnText(name);
  const unknown = findUnknown({ names: [...places.values()].map(({ name }) => name) }, has, [
    ...ROW_NAMES,
    ...texts.names,
  ]);
  return unknown === null ? ok(fillWords(print, valuesFor(texts, places))) : refused(unknown);
};
