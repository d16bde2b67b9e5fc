/**
 * Formats and patterns of texts in requests, and what each pattern asks for: no caller should have to read an
 * expression.
 */

import { clampRgb, converter, formatHex, formatHex8, parse } from 'culori';
import { FORMATS, namesOf } from '../../workers/lists.ts';
import type { HexColor } from '../../workers/protocol.ts';

/** Name of the JSON Schema format that `parseColor` checks. */
export const COLOR_FORMAT = 'css-color';
/** Name of the JSON Schema format that `checkSyntax` of the logo source checks. */
export const IMAGE_FORMAT = 'logo-source';

/** Control characters (Cc) and unpaired surrogates (Cs). Not all readers of the OpenAPI document know such names. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const UNPRINTABLE = `${CONTROLS}\\ud800-\\udfff`;

/** One line without control characters, so that it fits into every output. */
export const LINE = `^[^${UNPRINTABLE}]*$`;
/** A name: such a line with at least one character that is not white space. */
export const NAME = `^[^${UNPRINTABLE}]*[^\\s${UNPRINTABLE}][^${UNPRINTABLE}]*$`;
/** Lines without other control characters. */
export const CAPTION = '^[^\\u0000-\\u0009\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$';
/** A text without control characters. */
export const REFERENCE = `^[^${CONTROLS}]+$`;

export const COUNTER_NAME = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';

/** Of the rules of links. */
export const RULE_NAME = '^[0-9A-Za-z_-]{1,40}$';
/** A language range of RFC 4647, section 2.1, without wildcards. */
export const LANGUAGE = '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,4}$';
/** ISO 3166-1. */
export const COUNTRY = '^[A-Z]{2}$';
/** ISO 3166-2. */
export const REGION = '^[A-Z]{2}-[A-Z0-9]{1,3}$';
/** Of the short links of a domain: no path of signed pictures (`/i/`) and no primary key of Digital Link URIs. */
export const PREFIX = '^(?!i$|[0-9]{2,4}$)[0-9A-Za-z_-]{0,32}$';
export const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

const format = namesOf(FORMATS).join('|');
/** File formats with commas. */
export const FORMAT_LIST = `^(?:${format})(?:,(?:${format})){0,4}$`;

/** What captions may lose, with a comma. */
export const LOSS_LIST = '^(?:cut|glyphs|cut,glyphs|glyphs,cut)$';

const INK = '[A-Za-z0-9][A-Za-z0-9 ._+-]{0,62}';
/** The name of an ink, in letters that end neither a name in a PDF nor a string in an EPS. */
export const INK_NAME = `^${INK}$`;
/** Up to four colours and the names of their inks. */
export const SPOT_LIST = `^#?[0-9A-Fa-f]{6}=${INK}(?:,#?[0-9A-Fa-f]{6}=${INK}){0,3}$`;

/** What each pattern asks for; continues a sentence that begins with the field. */
export const PATTERN_RULES: Readonly<Record<string, string>> = {
  [LINE]: 'must be one line without control characters',
  [NAME]: 'must be one line with at least one visible character',
  [CAPTION]: 'must have no control characters except line ends',
  [REFERENCE]: 'must have no control characters',
  [COUNTER_NAME]:
    'must be 1 to 64 letters of A to Z, digits, ".", "_" and "-", of which the first is a letter or a digit',
  [RULE_NAME]: 'must be 1 to 40 letters of A to Z, digits, "_" and "-"',
  [LANGUAGE]: 'must be a language, for example de or pt-BR',
  [COUNTRY]: 'must be a country of two capital letters, for example DE',
  [REGION]: 'must be a country and its region in capital letters, for example DE-BY',
  [PREFIX]:
    'must be at most 32 letters of A to Z, digits, "_" and "-", and neither i nor a number of two to four digits, which have a meaning of their own',
  [CLOCK]: 'must be hours and minutes, for example 09:30',
  [LOSS_LIST]: 'must be cut, glyphs or cut,glyphs',
  [INK_NAME]:
    'must be 1 to 63 letters of A to Z, digits, spaces, ".", "_", "+" and "-", without a space or sign first',
  [SPOT_LIST]:
    'must be up to four colours and inks, for example 1a4b8c=PANTONE 286 C, with a comma between them',
  [FORMAT_LIST]: `must be a list with commas of ${namesOf(FORMATS).join(', ')}, at most five`,
};

const toRgb = converter('rgb');

/** A colour as `parseColor` returns it. */
const HEX = /^#[\da-f]{6}$/;

/** Above the rounding errors of the conversion, below what a channel of 255 steps can show. */
const EPSILON = 1e-6;
const cutOff = (channel: number): number => Math.floor(channel * 255 + EPSILON) / 255;

/** The parser throws on a few texts that are not colours, for example on a slash before a number with letters. */
const parseLeniently = (text: string): ReturnType<typeof parse> => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads a CSS colour (CSS Color Module Level 4: hex 3/4/6/8 with `#`, named, `rgb()`, `hsl()`, `transparent`, …).
 * Returns `#rrggbb`, or `#rrggbbaa` when it is translucent, or `null` when the text is not a colour. Only this spelling
 * is passed on, so that a caller's text never reaches markup.
 *
 * The channels of `hsl()` are rounded down to whole steps, as in the rasteriser of the reference pictures. Browsers
 * round to the nearest step, which is at most one of 255 more.
 */
export const parseColor = (text: string): HexColor | null => {
  if (HEX.test(text)) return text as HexColor;
  // The parser takes hex digits without `#` too; CSS does not. Real colours are far shorter than 64.
  if (text.length > 64 || /^[\da-f]+$/i.test(text)) return null;
  const color = parseLeniently(text);
  if (color === undefined) return null;
  const exact = clampRgb(toRgb(color));
  const { r, g, b } = exact;
  const rgb = color.mode === 'hsl' ? { ...exact, r: cutOff(r), g: cutOff(g), b: cutOff(b) } : exact;
  return (rgb.alpha ?? 1) >= 1 ? formatHex(rgb) : formatHex8(rgb);
};
