/** The options for all rows of `bulk`: those of `--design` with the sizes and colours of the command. */
import { designOf } from '../../../clients/typescript/src/request.ts';
import { namesOf, parseTemplate } from '../../csv/template.ts';
import type { PrintQuery } from '../../generate/request/print.ts';
import { readDesignFile } from '../design-options.ts';
import { usageError } from '../fault.ts';
import type { Composed } from './input/source.ts';

/** The gateway refuses a longer header. */
const DESIGN_MAX_BYTES = 8192;

interface Options {
  readonly print?: PrintQuery;
  readonly template?: unknown;
  readonly qrOptions?: { readonly gs1?: unknown };
  readonly gs1?: { readonly columns?: object };
}

/** Returns the names in the templates of options. Their faults are left to the gateway. */
const composedOf = ({ template, qrOptions, gs1 }: Options): Composed => {
  if (template === undefined && qrOptions?.gs1 === undefined) return null;
  const texts = template === undefined ? Object.values(gs1?.columns ?? {}) : [template];
  return texts.flatMap((text) => {
    const parsed = parseTemplate(String(text));
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
 * their templates.
 *
 * @param path A file with options, or `null`.
 * @param print What the command asks for in addition.
 * @throws {CliFault} when the file has none, or they are too long.
 */
export const readDesign = async (path: string | null, print: PrintQuery) => {
  const design = withPrint(path === null ? {} : await readDesignFile(path), print);
  if (Object.keys(design).length === 0) return { design: null, composed: null };
  const written = designOf(design);
  if (written.length > DESIGN_MAX_BYTES)
    throw usageError(`${path} has more than ${DESIGN_MAX_BYTES} bytes; give its logo by URL`);
  return { design: written, composed: composedOf(design) };
};
