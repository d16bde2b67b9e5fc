/** The options of `bulk` for print, as the API takes them. */
import Value from 'typebox/value';
import type { FileFormat } from '../../../workers/lists.ts';
import { layOutFile } from '../../generate/file.ts';
import { parseColor } from '../../generate/request/color.ts';
import { toDesign } from '../../generate/request/design.ts';
import { isPrintField, type PrintQuery, printParameters, toPrint } from '../../generate/request/print.ts';
import { usageError } from '../fault.ts';

/** Returns the option of the command for a parameter of the API. */
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

/** @throws {CliFault} when no code could have this size, whatever its content. */
const refuseImpossible = (formats: readonly FileFormat[], asked: PrintQuery): void => {
  const print = toPrint(asked);
  if (!print.ok)
    throw usageError(`${optionOf(print.fault.field)} ${print.fault.message.replace(/\w+_mm/g, optionOf)}`);
  // With a width, the module size depends on the content, as do GS1 data.
  if (asked.width_mm !== undefined) return;
  for (const format of formats) {
    const laid = layOutFile('1', toDesign({}), { format, print: print.value });
    if (!laid.ok && isPrintField(laid.fault.field))
      throw usageError(`${optionOf(laid.fault.field)} ${laid.fault.message}`);
  }
};

/**
 * Reads what the options of the command ask for, by the names of the API's parameters.
 *
 * @param options By the names that `commander` gives them, such as `moduleMm`.
 * @throws {CliFault} when a value is wrong, or no code could have this size.
 */
export const readPrint = (
  formats: readonly FileFormat[],
  options: Readonly<Record<string, unknown>>,
): PrintQuery => {
  const print: Record<string, number | string | boolean> = {};
  for (const parameter of Object.keys(printParameters) as (keyof PrintQuery)[]) {
    const option = parameter.replace(/_./g, ([, letter]) => letter!.toUpperCase());
    const text = options[option];
    if (parameter === 'till') {
      if (text === true) print.till = true;
    } else if (typeof text === 'string') print[parameter] = readValue(parameter, text);
  }
  refuseImpossible(formats, print);
  return print;
};
