/** The texts of captions of labels and files: a template with names in braces. */
import { ok, type Result, refused } from '../result.ts';

/** A template, read: texts, and the names of what stands between them. */
export interface Caption {
  /** One more than there are names. */
  readonly texts: readonly string[];
  readonly names: readonly string[];
  /** Lines that the template has, and one more for each `{gs1}`, which usually needs more than one. */
  readonly lines: number;
}

/** What a caption may name in any case. */
export const CAPTION_NAMES = ['content', 'file', 'index', 'gs1', 'gtin'] as const;
/** What a caption may name besides, for the codes of a folder. */
export const FOLDER_NAMES = ['name', 'external_id', 'id', 'slug'] as const;
/**
 * What labels may lose when a caller allows it: the end of captions that do not fit, their characters that cannot be
 * printed, and codes that cannot be drawn.
 */
export const LOSSES = ['cut', 'glyphs', 'codes'] as const;
/** One of `LOSSES`. */
export type Loss = (typeof LOSSES)[number];
/** Longest template, in characters. */
export const CAPTION_MAX_CHARACTERS = 500;
const LINES_MAX = 4;
const NAME = /\{([^{}]*)\}/;
/** More than a caption may have: a longer one is cut. */
const VALUE_MAX_CHARACTERS = 5000;

/** Says which name of a caption is not known; `null`: all are. */
export const findUnknown = (
  { names }: Pick<Caption, 'names'>,
  isKnown: (name: string) => boolean,
  known: readonly string[],
): string | null => {
  const unknown = names.find((name) => !isKnown(name));
  if (unknown === undefined) return null;
  const shown = unknown.replace(/\p{C}/gu, '?').slice(0, 50);
  return `{${shown}} is not known; known are ${known.map((name) => `{${name}}`).join(', ')}`;
};

/**
 * Reads a template. Line ends begin a new line. Returns what is wrong: a name that is not known, or too many lines.
 *
 * @param known The names that may stand in braces; `null`: any.
 */
export const parseCaption = (template: string, known: readonly string[] | null): Result<Caption, string> => {
  const parts = template.split(NAME);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const names = parts.filter((_, index) => index % 2 === 1);
  const unknown = known && findUnknown({ names }, (name) => known.includes(name), known);
  if (unknown !== null) return refused(unknown);
  const lines = texts.join('').split(/\r\n|\r|\n/).length;
  if (lines > LINES_MAX) return refused(`must have at most ${LINES_MAX} lines`);
  return ok({ texts, names, lines: lines + names.filter((name) => name === 'gs1').length });
};

/**
 * Returns a caption in which names stand no more, except those without a value. A line end in a value becomes a space, so
 * that the caption keeps its lines.
 */
export const fillCaption = (
  { texts, names, lines }: Caption,
  textOf: (name: string) => string | undefined,
): Caption => {
  const filled: { readonly texts: string[]; readonly names: string[] } = { texts: [texts[0]!], names: [] };
  for (const [index, name] of names.entries()) {
    const value = textOf(name);
    const after = texts[index + 1]!;
    if (value === undefined) {
      filled.names.push(name);
      filled.texts.push(after);
    } else filled.texts.push(`${filled.texts.pop()}${asValue(value)}${after}`);
  }
  return { ...filled, lines };
};

const asValue = (value: string): string => value.slice(0, VALUE_MAX_CHARACTERS).replace(/[\r\n]+/g, ' ');

/** Returns the caption of one label. A line end in a value becomes a space, so that the label keeps its lines. */
export const writeCaption = (
  { texts, names }: Caption,
  values: Readonly<Record<string, string | undefined>>,
): string =>
  texts
    .map((text, index) => {
      const name = names[index];
      if (name === undefined) return text;
      return text + asValue(values[name] ?? '');
    })
    .join('');
