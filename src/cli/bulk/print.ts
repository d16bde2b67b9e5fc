/** The options of `bulk` for print, as the API takes them. */
import Type from 'typebox';
import type { FileFormat } from '../../../workers/lists.ts';
import { layOutFile } from '../../generate/file.ts';
import { toDesign } from '../../generate/request/design.ts';
import { isPrintField, type PrintQuery, printParameters, toPrint } from '../../generate/request/print.ts';
import { createAjv, faultOf } from '../../validation/ajv.ts';
import { usageError } from '../fault.ts';

/** Returns the option of the command for a parameter of the API. */
const optionOf = (parameter: string): string => `--${parameter.replaceAll('_', '-')}`;

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
  const print: Record<string, unknown> = {};
  for (const [parameter, schema] of Object.entries(printParameters)) {
    const given = options[parameter.replace(/_./g, ([, letter]) => letter!.toUpperCase())];
    if (given === undefined) continue;
    const isNumber = 'minimum' in schema;
    print[parameter] = isNumber && typeof given === 'string' ? Number(given.trim() || Number.NaN) : given;
  }
  // The check sets defaults, which a design may override.
  const asked: unknown = { ...print };
  const validate = createAjv(() => true).compile<PrintQuery>(Type.Object(printParameters));
  if (!validate(asked)) {
    const { field, message } = faultOf(validate.errors!);
    throw usageError(`${optionOf(field)} ${message}`);
  }
  refuseImpossible(formats, asked);
  return print as PrintQuery;
};
