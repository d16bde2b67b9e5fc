/** What a command says about itself. */

/** An option as `parseArgs` knows it, with its line of the help. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean | string[];
  readonly short?: string;
  /** What stands for the value in the help, as `seconds`. */
  readonly value?: string;
  /** The default in the help; without it the default itself. */
  readonly shown?: string;
  /** What the option does; the default is added to it. */
  readonly text: string;
  /** The value is a number, at least this. */
  readonly least?: number;
  /** The number is whole. */
  readonly isWhole?: boolean;
}

/** The options of a command by their names. */
export type Options = Readonly<Record<string, Option>>;

/** What a command is, takes and does. */
export interface Command<O extends Options> {
  /** As it is typed, `npm run bench`. */
  readonly name: string;
  /** What follows the name besides options, `<folder>`. Without it the command takes nothing else. */
  readonly operands?: string;
  /** A few sentences: what it does, what it ends with. */
  readonly about: string;
  readonly options: O;
  /** Arguments of calls that are of use, each with what it is for. */
  readonly examples: readonly (readonly [args: string, purpose: string])[];
}
