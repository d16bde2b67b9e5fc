/** The files that a run makes of each row. */
import Value from 'typebox/value';
import type { FileFormat } from '../../../../workers/lists.ts';
import { type FileTerms, layOutFile } from '../../../generate/file.ts';
import { toDesign } from '../../../generate/request/design.ts';
import { isPrintField, type PrintQuery, printParameters, toPrint } from '../../../generate/request/print.ts';
import { parseColor } from '../../../validation/color.ts';
import { usageError } from '../../fault.ts';

/** The files of each row: the same in all commands of a run. */
export interface FilesAsked {
  /** At least one, each once. */
  readonly formats: readonly FileFormat[];
  /** By the names of the API's parameters. */
  readonly print: PrintQuery;
}

/** Returns the option of the command for a parameter of the API, and vice versa. */
const optionOf = (parameter: string): string => `--${parameter.replaceAll('_', '-')}`;

/** Reads a value as the API does. @throws {CliFault} when the value is wrong. */
const readValue = (parameter: Exclude<keyof PrintQuery, 'till'>, text: string): number | string => {
  const refuse = (what: string) => usageError(`${optionOf(parameter)} must be ${what}`);
  const schema = printParameters[parameter];
  if (parameter === 'paper') {
    if (parseColor(text) === null) throw refuse('a CSS colour, for example white');
    return text;
  }
  if (parameter === 'color') {
    if (!Value.Check(schema, text)) throw refuse('rgb or cmyk');
    return text;
  }
  if (parameter === 'text') {
    if (!Value.Check(schema, text)) throw refuse('none or gs1');
    return text;
  }
  const { minimum, maximum } = schema as { readonly minimum?: number; readonly maximum?: number };
  const value = Number(text);
  if (text.trim() === '' || !Value.Check(schema, value)) throw refuse(`${minimum} to ${maximum}`);
  return value;
};

/** Returns the terms of a file of the run. */
export const termsOf = (format: FileFormat, { print }: FilesAsked): FileTerms => {
  const terms = toPrint(print);
  if (!terms.ok)
    throw usageError(`${optionOf(terms.fault.field)} ${terms.fault.message.replace(/\w+_mm/g, optionOf)}`);
  return { format, print: terms.value };
};

/** @throws {CliFault} when no code could have this size, whatever its content. */
const refuseImpossible = (asked: FilesAsked): void => {
  for (const format of asked.formats) {
    const laid = layOutFile('1', toDesign({}), termsOf(format, asked));
    // With a width, the module size depends on the content, as do GS1 data.
    if (laid.ok || asked.print.width_mm !== undefined || !isPrintField(laid.fault.field)) continue;
    throw usageError(`${optionOf(laid.fault.field)} ${laid.fault.message}`);
  }
};

/**
 * Reads what the options of the command ask for.
 *
 * @param options By the names that `commander` gives them, such as `moduleMm`.
 * @throws {CliFault} when a value is wrong, or no code could have this size.
 */
export const readAsked = (
  formats: readonly FileFormat[],
  options: Readonly<Record<string, unknown>>,
): FilesAsked => {
  const print: Record<string, number | string | boolean> = {};
  for (const parameter of Object.keys(printParameters) as (keyof PrintQuery)[]) {
    const option = parameter.replace(/_./g, ([, letter]) => letter!.toUpperCase());
    const text = options[option];
    if (parameter === 'till') {
      if (text === true) print.till = true;
    } else if (typeof text === 'string') print[parameter] = readValue(parameter, text);
  }
  const asked = { formats, print };
  refuseImpossible(asked);
  return asked;
};

/** Whether the command draws a format itself. The gateway answers with a PNG in pixels. */
export const drawsFormat = (format: FileFormat, asked: FilesAsked): boolean =>
  format !== 'png' || termsOf(format, asked).print?.size !== null;

/** Returns the command-line options that ask for the same files. */
export const inOptions = ({ formats, print }: FilesAsked): string =>
  [
    `--format ${formats.join(',')}`,
    ...Object.entries(print).map(([parameter, value]) =>
      value === true ? optionOf(parameter) : `${optionOf(parameter)} ${value}`,
    ),
  ].join(' ');
