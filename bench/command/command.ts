/** The command lines of the tools: options with help, and faults that say what to do. */
import { parseArgs } from 'node:util';
import { nearest } from '../../src/csv/nearest.ts';
import { helpOf } from './help.ts';
import type { Command, Option, Options } from './spec.ts';

type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & { help: { type: 'boolean' } }; allowPositionals: true }>
>;

/** The values of a command's options by their names. */
export type Values<C> = C extends Command<infer O> ? Parsed<O>['values'] : never;

/** Values by option, and other words. */
export interface Given<O extends Options> {
  readonly kind: 'given';
  readonly values: Parsed<O>['values'];
  readonly positionals: readonly string[];
}

/** A text to print instead of running: the help, or what is wrong with the arguments. */
export interface Told<Kind extends 'help' | 'fault'> {
  readonly kind: Kind;
  readonly text: string;
}

/** What the arguments of a command say. */
export type Reading<O extends Options> = Given<O> | Told<'help'> | Told<'fault'>;

const isNumber = (text: string, { least = 0, isWhole = false }: Option): boolean =>
  text.trim() !== '' && Number(text) >= least && (!isWhole || Number.isSafeInteger(Number(text)));

/** Says which value is no number as its option asks for; `null` when none is. */
const faultOfValues = (options: Options, values: Readonly<Record<string, unknown>>): string | null => {
  for (const [name, option] of Object.entries(options)) {
    const value = values[name];
    if (option.least === undefined || typeof value !== 'string' || isNumber(value, option)) continue;
    return `--${name} must be a ${option.isWhole ? 'whole ' : ''}number of at least ${option.least}, not "${value}"`;
  }
  return null;
};

/** Says in our words what `parseArgs` complains about. */
const faultOf = (options: Options, { message }: Error): string => {
  const unknown = /^Unknown option '(-[^'=]*)/.exec(message)?.[1];
  if (unknown === undefined) return message.replace(/\. .*/s, '');
  const near = nearest(
    unknown,
    ['help', ...Object.keys(options)].map((name) => `--${name}`),
  );
  return `there is no option ${unknown}${near === null ? '' : `: did you mean ${near}?`}`;
};

/** Reads arguments. A fault says what is wrong, and how to see the options. Prints nothing, and ends nothing. */
export const readCommand = <const O extends Options>(
  command: Command<O>,
  args: readonly string[],
): Reading<O> => {
  const fault = (text: string): Told<'fault'> => ({
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
    return wrong === null
      ? { kind: 'given', values: values as Parsed<O>['values'], positionals }
      : fault(wrong);
  } catch (error) {
    return fault(faultOf(command.options, error as Error));
  }
};
