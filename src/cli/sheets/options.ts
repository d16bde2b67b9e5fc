/** The options of `tessera sheets`, as a request for sheets. */
import { createAjv, fieldOf, messageOf } from '../../generate/request/ajv.ts';
import { SheetsRequest } from '../../sheets/request.ts';
import { misused } from '../fault.ts';

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
  readonly cropMarks?: true;
  readonly bleed?: string;
  readonly startAt?: string;
  readonly order?: string;
  readonly copies?: string;
}

/** The option for each field of a request. */
const FLAGS: Readonly<Record<string, string>> = {
  template: '--template',
  page: '--page',
  'page.size': '--page',
  'page.widthMm': '--page',
  'page.heightMm': '--page',
  label: '--page, --columns and --rows',
  'label.columns': '--columns',
  'label.rows': '--rows',
  'label.marginMm': '--margin',
  'label.gapMm': '--gap',
  'label.codeMm': '--code-mm',
  'label.caption': '--caption',
  'label.captionSide': '--caption-side',
  bleedMm: '--bleed',
  startAt: '--start-at',
  order: '--order',
  copies: '--copies',
};

const flagOf = (field: string): string => FLAGS[field] ?? FLAGS[field.replace(/\.\d+$/, '')] ?? field;

/** Says with the names of the options what is wrong with a request. */
export const inFlags = ({ field, message }: { readonly field: string; readonly message: string }): string =>
  `${flagOf(field)}: ${message.replace(/\b(?:page|label\.\w+)\b/g, (name) => FLAGS[name] ?? name)}`;

const number = (flag: string, text: string): number => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw misused(`${flag}: ${text} is not a number`);
  return Number(text);
};

/** Reads `10`, or `15,7.2`: between top and bottom, and between left and right. */
const lengths = (flag: string, text: string): number | number[] => {
  const [first, second, ...more] = text.split(',').map((part) => number(flag, part.trim()));
  if (more.length > 0) throw misused(`${flag}: give one length, or two with a comma between them`);
  return second === undefined ? first! : [first!, second];
};

const pageOf = (text: string) => {
  const [, width, height] = /^([\d.]+)x([\d.]+)$/.exec(text) ?? [];
  if (width === undefined || height === undefined) return { size: text };
  return { widthMm: number('--page', width), heightMm: number('--page', height) };
};

const given = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text);

const present = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Returns the request that the options describe. @throws {CliFault} when one of them is wrong. */
export const requestOf = (options: SheetOptions): SheetsRequest => {
  const numberOf = (flag: string, text: string | undefined) => given(text, (value) => number(flag, value));
  const label = present({
    columns: numberOf('--columns', options.columns),
    rows: numberOf('--rows', options.rows),
    marginMm: given(options.margin, (text) => lengths('--margin', text)),
    gapMm: given(options.gap, (text) => lengths('--gap', text)),
    codeMm: numberOf('--code-mm', options.codeMm),
    // A shell passes a line end as it is written.
    caption: options.caption?.replaceAll('\\n', '\n'),
    captionSide: options.captionSide,
  });
  const request: unknown = present({
    template: options.template,
    page: given(options.page, pageOf),
    label: Object.keys(label).length === 0 ? undefined : label,
    cropMarks: options.cropMarks,
    bleedMm: numberOf('--bleed', options.bleed),
    startAt: numberOf('--start-at', options.startAt),
    order: options.order,
    copies: numberOf('--copies', options.copies),
  });
  const validate = createAjv(() => true).compile<SheetsRequest>(SheetsRequest);
  if (validate(request)) return request;
  const [first] = validate.errors!;
  throw misused(inFlags({ field: fieldOf(first!), message: messageOf(first!) }));
};
