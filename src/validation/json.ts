/**
 * Bounds the cost of parsing JSON before it is parsed: eight megabytes of text may take hundreds in memory.
 *
 * The characters that give a JSON text its form (RFC 8259, section 2) are codes here: they are the same bytes in UTF-8.
 */

/** `"` */
export const QUOTE = 0x22;
/** `\` */
export const BACKSLASH = 0x5c;
/** `,` */
export const COMMA = 0x2c;
/** `:` */
export const COLON = 0x3a;
/** `[` */
export const OPEN_LIST = 0x5b;
/** `]` */
export const CLOSE_LIST = 0x5d;
/** `{` */
export const OPEN_RECORD = 0x7b;
/** `}` */
export const CLOSE_RECORD = 0x7d;

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
}

/** Leaves room for what the schema itself should refuse (unknown fields, too many items), and for quotation marks. */
const SLACK = 4;
const SMALLEST = 64;

/** Returns the brackets, commas, colons and strings of the largest value that the schema accepts. */
const tokensOf = (schema: Schema): number => {
  const { properties, items, maxItems = 0, anyOf } = schema;
  if (properties !== undefined) {
    // 3: the name, a colon and a comma.
    return Object.values(properties).reduce((sum, property) => sum + 3 + tokensOf(property), 1);
  }
  if (items !== undefined) return 1 + maxItems * (1 + tokensOf(items));
  if (anyOf !== undefined) return Math.max(...anyOf.map(tokensOf));
  return 1;
};

/** Returns the most tokens that a body may have: four times those of the largest valid one. */
export const maxTokens = (schema: object): number => SLACK * Math.max(SMALLEST, tokensOf(schema));

/** A valid body nests a few levels deep, and some more do no harm. */
const DEPTH_MAX = 32;

/**
 * Returns the index of the quotation mark that closes the string opened before `from`, or the length of the text.
 */
const endOfString = (text: string, from: number): number => {
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let before = quote;
    while (before > at && text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
};

/** Whether a JSON text has at most so many brackets, commas, colons and strings, and is shallow. It does not validate. */
export const isWithin = (text: string, tokensMax: number): boolean => {
  let tokens = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_LIST || code === OPEN_RECORD) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_RECORD) {
      depth -= 1;
      continue;
    } else if (code !== COMMA && code !== COLON) continue;
    tokens += 1;
    if (tokens > tokensMax || depth > DEPTH_MAX) return false;
  }
  return true;
};

/** Whether a JSON text nests less deeply than functions can follow by calling themselves. */
export const isShallow = (text: string): boolean => isWithin(text, Number.POSITIVE_INFINITY);

/**
 * Creates a function that says whether a JSON text stays within a few times the number of values of the largest valid
 * one, and within a nesting limit. It does not validate. A string counts once, whatever its length.
 */
export const createTokenBound = (schema: object): ((text: string) => boolean) => {
  const tokensMax = maxTokens(schema);
  return (text) => isWithin(text, tokensMax);
};
