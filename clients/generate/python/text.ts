/** Names, literals and comments of Python. Pure. */

/** Words that cannot be names. */
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield self`.split(/\s+/),
);

const COLUMNS_MAX = 100;

/** Whether a text can be the name of a field of a class. */
export const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);

/** Returns `create_code` for `createCode`, `if_match` for `if-match`, and `from_` for `from`. */
export const toSnake = (name: string): string => {
  const snake = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toLowerCase();
  return isName(snake) ? snake : `${snake}_`;
};

/** Returns `BulkResponse` for `bulkResponse`, and `NextCursor` for `next_cursor`. */
export const toPascal = (name: string): string =>
  name
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** Writes a value of JSON as a literal of Python. */
export const literal = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};

/** Breaks a text into lines that fit below an indentation. */
export const wrap = (text: string, indent: string): string[] => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && indent.length + longer.length <= COLUMNS_MAX) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

/** Writes a comment above a field. */
export const comment = (text: string | undefined, indent: string): string =>
  text === undefined
    ? ''
    : wrap(text, `${indent}#: `)
        .map((line) => `${indent}#: ${line}\n`)
        .join('');

/** Writes a docstring of paragraphs. */
export const docstring = (paragraphs: readonly (readonly string[])[], indent: string): string => {
  const lines = paragraphs
    .filter(({ length }) => length > 0)
    .map((paragraph) => paragraph.map((line) => `${indent}${line}`).join('\n'))
    .join('\n\n')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .replace(/"$/, '" ');
  const text = lines.slice(indent.length);
  return lines.includes('\n') ? `${indent}"""${text}\n${indent}"""\n` : `${indent}"""${text}"""\n`;
};
