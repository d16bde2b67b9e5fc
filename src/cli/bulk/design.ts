/** The options for all rows of `bulk`: those of `--design`, with the sizes and colours of the command for print. */
import Type from 'typebox';
import { designOf } from '../../../clients/typescript/src/request.ts';
import type { FileFormat, RowSymbology } from '../../../workers/lists.ts';
import { parseCaption } from '../../csv/caption.ts';
import { namesOf, parseTemplate } from '../../csv/template.ts';
import { layOutFile } from '../../generate/file.ts';
import { toDesign } from '../../generate/request/design.ts';
import { formatFault } from '../../generate/request/inks.ts';
import { isPrintField, type PrintQuery, printParameters, toPrint } from '../../generate/request/print.ts';
import { CODE_NAMES } from '../../generate/request/words.ts';
import { createAjv, faultOf } from '../../validation/ajv.ts';
import { readDesignFile } from '../options.ts';
import { usageError } from '../terminal.ts';
import type { Composed } from './source.ts';

/** Returns the option of the command for a parameter of the API. */
const optionOf = (parameter: string): string => `--${parameter.replaceAll('_', '-')}`;

/** @throws {CliFault} when no code could have this size, whatever its content. */
const refuseImpossible = (formats: readonly FileFormat[], asked: PrintQuery, areBarcodes: boolean): void => {
  const print = toPrint(asked);
  if (!print.ok)
    throw usageError(`${optionOf(print.fault.field)} ${print.fault.message.replace(/\w+_mm/g, optionOf)}`);
  // With a width, the module size depends on the content, as do GS1 data. Barcodes have sizes of their own.
  if (asked.width_mm !== undefined || areBarcodes) return;
  // Whether the design has these colours, and whether a caption fits, is left to the gateway.
  const { spots: _, overprint: __, ...inks } = print.value.inks;
  const { caption: ___, frame: ____, ...sized } = print.value;
  for (const format of formats) {
    const unprinted = formatFault(print.value.inks, format);
    if (unprinted !== null) throw usageError(`${optionOf(unprinted.field)}: ${unprinted.message}`);
    const laid = layOutFile('1', toDesign({}), { format, print: { ...sized, inks } });
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
  refuseImpossible(formats, asked, (options.symbology ?? 'qr') !== 'qr');
  return print as PrintQuery;
};

/** The gateway refuses a longer header. */
const DESIGN_MAX_BYTES = 8192;

interface Options {
  readonly print?: PrintQuery;
  readonly symbology?: RowSymbology;
  readonly template?: unknown;
  readonly qrOptions?: { readonly gs1?: unknown };
  readonly gs1?: { readonly columns?: object };
}

/** Returns the names in the templates of options. Their faults are left to the gateway. */
const composedOf = ({ symbology = 'qr', template, qrOptions, gs1 }: Options): Composed => {
  if (template === undefined && qrOptions?.gs1 === undefined && symbology === 'qr') return null;
  const texts = template === undefined ? Object.values(gs1?.columns ?? {}) : [template];
  return texts.flatMap((text) => {
    const parsed = parseTemplate(String(text));
    return parsed.ok ? namesOf(parsed.value) : [];
  });
};

/** Returns the columns that the caption of options names. Its faults are left to the gateway. */
const captionedOf = ({ print }: Options): readonly string[] => {
  const caption = parseCaption(print?.caption ?? '', null);
  if (!caption.ok) return [];
  const ofRows = caption.value.names.filter((name) => !(CODE_NAMES as readonly string[]).includes(name));
  return ofRows.flatMap((name) => {
    const parsed = parseTemplate(`{${name}}`);
    return parsed.ok ? namesOf(parsed.value) : [];
  });
};

/** Overrides the file's sizes and colours with the command's. A side of either kind replaces both kinds. */
const withPrint = (options: Options, asked: PrintQuery): Options => {
  const { module_mm, width_mm, ...rest } = options.print ?? {};
  const hasSide = asked.module_mm !== undefined || asked.width_mm !== undefined;
  const base = hasSide ? rest : options.print;
  const print = { ...base, ...asked };
  return Object.keys(print).length === 0 ? options : { ...options, print };
};

/**
 * Returns the options for all rows as JSON in ASCII, for the header `Design`, `null` when there are none; and the names in
 * their templates and in their caption.
 *
 * @param path A file with options, or `null`.
 * @param print What the command asks for in addition. @param symbology The same; absent: what the file says.
 * @throws {CliFault} when the file has none, or they are too long.
 */
export const readDesign = async (path: string | null, print: PrintQuery, symbology?: RowSymbology) => {
  const file: Options = path === null ? {} : await readDesignFile(path);
  const design = withPrint({ ...file, ...(symbology !== undefined && { symbology }) }, print);
  if (Object.keys(design).length === 0) return { design: null, composed: null, captioned: [] };
  const written = designOf(design);
  if (written.length > DESIGN_MAX_BYTES)
    throw usageError(`${path} has more than ${DESIGN_MAX_BYTES} bytes; give its logo by URL`);
  return { design: written, composed: composedOf(design), captioned: captionedOf(design) };
};
