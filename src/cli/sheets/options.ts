/** The options of `tessera sheets`, as a request for sheets. */

import { SheetsRequest } from '../../sheets/request.ts';
import { PAGE_NAMES } from '../../sheets/templates.ts';
import { createAjv, faultOf } from '../../validation/ajv.ts';
import { usageError } from '../terminal.ts';

/** Options as they are written. */
export interface SheetOptions {
  readonly template?: string;
  readonly page?: string;
  readonly columns?: string;
  readonly rows?: string;
  readonly margin?: string;
  readonly gap?: string;
  readonly codeMm?: string;
  readonly caption?: string;
  readonly captionSide?: string;
  readonly allow?: string;
  readonly dpi?: string;
  readonly till?: true;
  readonly cropMarks?: true;
  readonly bleed?: string;
  readonly startAt?: string;
  readonly order?: string;
  readonly stack?: string;
  readonly copies?: string;
}

const number = (flag: string, text: string): number => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw usageError(`${flag}: ${text} is not a number`);
  return Number(text);
};

/** Reads `10`, or `15,7.2`: between top and bottom, and between left and right. */
const lengths = (flag: string, text: string): number | number[] => {
  const [first, second, ...more] = text.split(',').map((part) => number(flag, part.trim()));
  if (more.length > 0) throw usageError(`${flag}: give one length, or two with a comma between them`);
  return second === undefined ? first! : [first!, second];
};

const pageOf = (flag: string, text: string): object => {
  const [, width, height] = /^([\d.]+)x([\d.]+)$/.exec(text) ?? [];
  const size = PAGE_NAMES.find((name) => name.toLowerCase() === text.toLowerCase());
  if (size !== undefined) return { size };
  if (width === undefined || height === undefined)
    throw usageError(`${flag}: must be one of ${PAGE_NAMES.join(', ')}, or sides in mm, such as 100x50`);
  return { width_mm: number(flag, width), height_mm: number(flag, height) };
};

const asWritten = (_: string, value: unknown): unknown => value;

const words = (_: string, text: string): readonly string[] => text.split(',').map((word) => word.trim());

/** A shell passes an escaped line end unchanged. */
const withLineEnds = (_: string, text: string): string => text.replaceAll('\\n', '\n');

/** The option of each field of a request, and how it is read. */
const FIELDS: readonly (readonly [
  field: string,
  option: keyof SheetOptions,
  flag: string,
  read: (flag: string, text: string) => unknown,
])[] = [
  ['template', 'template', '--template', asWritten],
  ['page', 'page', '--page', pageOf],
  ['label.columns', 'columns', '--columns', number],
  ['label.rows', 'rows', '--rows', number],
  ['label.margin_mm', 'margin', '--margin', lengths],
  ['label.gap_mm', 'gap', '--gap', lengths],
  ['label.code_mm', 'codeMm', '--code-mm', number],
  ['label.caption', 'caption', '--caption', withLineEnds],
  ['label.caption_side', 'captionSide', '--caption-side', asWritten],
  ['allow', 'allow', '--allow', words],
  ['dpi', 'dpi', '--dpi', number],
  ['till', 'till', '--till', asWritten],
  ['crop_marks', 'cropMarks', '--crop-marks', asWritten],
  ['bleed_mm', 'bleed', '--bleed', number],
  ['start_at', 'startAt', '--start-at', number],
  ['order', 'order', '--order', asWritten],
  ['stack', 'stack', '--stack', number],
  ['copies', 'copies', '--copies', number],
];

const FLAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FIELDS.map(([field, , flag]) => [field, flag])),
  label: '--page, --columns and --rows',
};

/** Returns the flag of a field, of a length of a pair, or of a side of the page. */
const flagOf = (field: string): string =>
  FLAGS[field] ?? FLAGS[field.replace(/^(page)\.\w+$|\.\d+$/, '$1')] ?? field;

/** Describes the fault of a request by the names of the options. */
export const nameFlags = ({ field, message }: { readonly field: string; readonly message: string }): string =>
  `${flagOf(field)}: ${message.replace(/\b(?:page|label\.\w+)\b/g, (name) => FLAGS[name] ?? name)}`;

/** Returns the request that the options describe. @throws {CliFault} when one of them is wrong. */
export const requestOf = (options: SheetOptions): SheetsRequest => {
  const label: Record<string, unknown> = {};
  const request: Record<string, unknown> = {};
  for (const [field, option, flag, read] of FIELDS) {
    const written = options[option];
    if (written === undefined) continue;
    const value = read(flag, written as string);
    if (field.startsWith('label.')) label[field.slice('label.'.length)] = value;
    else request[field] = value;
  }
  if (Object.keys(label).length > 0) request.label = label;
  const asked: unknown = request;
  const validate = createAjv(() => true).compile<SheetsRequest>(SheetsRequest);
  if (validate(asked)) return asked;
  throw usageError(nameFlags(faultOf(validate.errors!)));
};
