/** The command lines of the tools: options, help and error messages. */
import { parseArgs } from 'node:util';
import { findNearest } from '../../src/csv/match.ts';

/** An option of `parseArgs`, with its line of the help. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean | string[];
  /** Placeholder for the value in the help, such as `seconds`. */
  readonly value?: string;
  /** How the help shows the default; if absent, as the default itself. */
  readonly shown?: string;
  /** What the option does. The help adds the default. */
  readonly text: string;
  /** When set, the value is a number, at least this large. */
  readonly least?: number;
  readonly isWhole?: boolean;
}

/** Options by their names. */
export type Options = Readonly<Record<string, Option>>;

/** A command line, or a part of one, that cannot be followed. The message says why. */
export class Misuse extends Error {}

/** A command: its name, its arguments and its description. */
export interface Command<O extends Options, R = unknown> {
  /** As typed: `npm run bench`. */
  readonly name: string;
  /** Operands besides the options, such as `<folder>`. If absent, the command takes none. */
  readonly operands?: string;
  /** A few sentences: what it does, and its exit codes. */
  readonly about: string;
  readonly options: O;
  /** Useful arguments, each with its purpose. */
  readonly examples: readonly (readonly [args: string, purpose: string])[];
  /** Returns what values and operands ask for that are right each by itself. @throws {Misuse} */
  readonly read?: (values: never, operands: readonly string[]) => R;
}

/** An option without a value. */
export const flag = (text: string) => ({ type: 'boolean', default: false, text }) as const;
/** An option whose value may be absent. */
export const text = (value: string, text: string) => ({ type: 'string', value, text }) as const;
/** An option that defaults to `usual`. */
export const textOr = (value: string, usual: string, text: string) =>
  ({ type: 'string', value, default: usual, text }) as const;
/** An option that may be given several times. */
export const texts = (value: string, text: string) =>
  ({ type: 'string', value, multiple: true, default: [] as string[], text }) as const;
/** An option that takes a number, `usual` by default. */
export const number = (text: string, usual: number, least = 0) =>
  ({ type: 'string', value: 'n', default: String(usual), least, text }) as const;
/** An option that takes a whole number, `usual` by default. */
export const whole = (text: string, usual: number, least = 1) =>
  ({ ...number(text, usual, least), isWhole: true }) as const;

type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & { help: { type: 'boolean' } }; allowPositionals: true }>
>;

/** The values of options by their names. */
export type Values<O extends Options> = Parsed<O>['values'];

/** Values by option, positional arguments, and what the command reads from them. */
export interface Given<O extends Options, R> {
  readonly kind: 'given';
  readonly values: Values<O>;
  readonly positionals: readonly string[];
  readonly wanted: R;
}

/** A text to print instead of running: the help or an error message. */
export interface Told {
  readonly kind: 'help' | 'fault';
  readonly text: string;
}

/** Returns an error message for the first value that is not a number as required; `null` when all are valid. */
const faultOfValues = (options: Options, values: Readonly<Record<string, unknown>>): string | null => {
  for (const [name, { least, isWhole = false }] of Object.entries(options)) {
    const value = values[name];
    if (least === undefined || typeof value !== 'string') continue;
    const isNumber = value.trim() !== '' && Number(value) >= least;
    if (!isNumber || (isWhole && !Number.isSafeInteger(Number(value))))
      return `--${name} must be a ${isWhole ? 'whole ' : ''}number of at least ${least}, not "${value}"`;
  }
  return null;
};

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

/** Returns usage, what the command does, options with their defaults, and examples, 100 columns wide. */
const helpOf = ({ name, operands, about, options, examples }: Command<Options>): string =>
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

/** Rewords an error of `parseArgs`. */
const faultOf = (options: Options, { message }: Error): string => {
  const unknown = /^Unknown option '(-[^'=]*)/.exec(message)?.[1];
  if (unknown === undefined) return message.replace(/\. .*/s, '');
  const near = findNearest(
    unknown,
    ['help', ...Object.keys(options)].map((name) => `--${name}`),
  );
  return `there is no option ${unknown}${near === null ? '' : `: did you mean ${near}?`}`;
};

/** Parses arguments. Error messages say how to list the options. Neither prints nor exits. */
export const readCommand = <const O extends Options, R>(
  command: Command<O, R>,
  args: readonly string[],
): Given<O, R> | Told => {
  const fault = (text: string): Told => ({
    kind: 'fault',
    text: `${text}\n${command.name} -- --help lists the options`,
  });
  const options = { ...command.options, help: { type: 'boolean' as const } };
  if (args.includes('--help') || args.includes('-h')) return { kind: 'help', text: helpOf(command) };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (command.operands === undefined && positionals.length > 0)
      return fault(`"${positionals[0]}" belongs to no option`);
    const wrong = faultOfValues(command.options, values);
    if (wrong !== null) return fault(wrong);
    const wanted = command.read?.(values as never, positionals) as R;
    return { kind: 'given', values: values as Values<O>, positionals, wanted };
  } catch (error) {
    return fault(error instanceof Misuse ? error.message : faultOf(command.options, error as Error));
  }
};

/** Prints an error message, which is about the arguments when the exit code is 2, and exits. */
export const misuse = (fault: string, exitCode = 2): never => {
  process.stderr.write(`${fault}\n`);
  return process.exit(exitCode);
};

/** Returns a handler of errors: those of classes that the caller can mend are printed, and the command exits. */
export const misuseBy =
  (...faults: readonly (new (message: string) => Error & { readonly exitCode?: number })[]) =>
  (error: unknown): never => {
    const fault = faults.find((one) => error instanceof one);
    if (fault === undefined) throw error;
    const { message, exitCode } = error as InstanceType<typeof fault>;
    return misuse(message, exitCode);
  };

/**
 * Returns the options that the process was given. Exits with 0 after `--help`, and with 2 when an option is unknown
 * or invalid: call it before anything starts.
 */
export const commandLine = <const O extends Options, R>(command: Command<O, R>): Given<O, R> => {
  const reading = readCommand(command, process.argv.slice(2));
  if (reading.kind === 'fault') return misuse(reading.text);
  if (reading.kind === 'given') return reading;
  process.stdout.write(`${reading.text}\n`);
  return process.exit(0);
};
