/** The help of a command as text, 100 columns wide. Pure. */
import type { Command, Option, Options } from './main.ts';

const WIDTH = 100;
const COLUMN_MAX = 34;

const wrap = (text: string, width: number): string[] => {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
};

const rowOf = ([name, { type, value, text, multiple, shown, ...option }]: [string, Option]): [
  string,
  string,
] => {
  const given = shown ?? option.default;
  const usual = typeof given === 'string' && given !== '' ? ` (${given})` : '';
  const often = multiple ? '; may be given several times' : '';
  return [type === 'boolean' ? `--${name}` : `--${name} <${value ?? 'value'}>`, `${text}${often}${usual}`];
};

/** Two columns, the second one wrapped. A first column that is too long gets its own line. */
const inColumns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.min(COLUMN_MAX, Math.max(...rows.map(([first]) => first.length)));
  return rows.flatMap(([first, second]) => {
    const lines = wrap(second, WIDTH - width - 4).map((line) => ' '.repeat(width + 4) + line);
    if (first.length > width) return [`  ${first}`, ...lines];
    return [`  ${first.padEnd(width)}  ${lines[0]!.trimStart()}`, ...lines.slice(1)];
  });
};

/** Returns the help of a command: usage, what it does, options with their defaults, examples. */
export const helpOf = ({ name, operands, about, options, examples }: Command<Options>): string =>
  [
    `${name} -- [options]${operands === undefined ? '' : ` ${operands}`}`,
    '',
    ...about.split('\n').flatMap((line) => wrap(line, WIDTH)),
    '',
    'Options, with their defaults:',
    ...inColumns([...Object.entries(options).map(rowOf), ['--help', 'prints this']]),
    '',
    'Examples:',
    ...examples.flatMap(([args, purpose]) => [
      `  ${name}${args === '' ? '' : ` -- ${args}`}`,
      `      ${purpose}`,
    ]),
  ].join('\n');
