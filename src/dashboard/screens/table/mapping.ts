/** Which column of a file is which field, and what the data of rows is made of, as a person chooses it. */
import { namesOf, parseTemplate } from '../../../csv/template.ts';
import type { BatchOptions, BatchPreview, QrRequest } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';
import { withField } from '../designer/draft.ts';
import { OF_CODES, OF_GS1 } from '../print/words.ts';
import { GS1_WORDS, wordOf } from './fields.ts';

/** The field of each column; `null`: the column is left out. */
export type Mapping = readonly (string | null)[];

/** The query parameters about columns in a call for a batch, and about rows that repeat another. */
export type ColumnsQuery = Readonly<Record<string, string>>;

/** The column of an AI without a name is named by its digits in brackets. */
const isGs1 = (field: string): boolean => Object.hasOwn(GS1_WORDS, field) || /^\(\d{2,4}\)$/.test(field);

interface Content {
  readonly source: 'data' | 'gs1' | 'template';
  /** The names in the template, if it is one. */
  readonly names: readonly string[];
  /** Fields that no column may be, because all rows have them from elsewhere. */
  readonly given: readonly string[];
}

/** @param hasBarcodes Whether rows say what they are: barcodes are made of GS1 numbers, whatever QR codes contain. */
const isUsed = (field: string, { source, names, given }: Content, hasBarcodes: boolean): boolean => {
  if (names.includes(field) || given.includes(field)) return names.includes(field);
  if (source === 'template') return field !== 'data' && !isGs1(field);
  return source === 'gs1' || hasBarcodes || !isGs1(field);
};

/** Leaves out the columns that make no data, and takes those that the template names or that are AIs. */
export const fitTo = (mapping: Mapping, { columns }: BatchPreview, content: Content): Mapping => {
  const hasBarcodes = mapping.includes('symbology');
  return mapping.map((field, at) => {
    const name = columns[at]?.name ?? '';
    if (field !== null) return isUsed(field, content, hasBarcodes) ? field : null;
    const isNamed = content.names.includes(name) || (content.source === 'gs1' && isGs1(name));
    return isNamed && !mapping.includes(name) ? name : null;
  });
};

/** Guesses what rows with such columns are made of. */
export const sourceOf = (mapping: Mapping): Content['source'] =>
  !mapping.includes('data') && mapping.some((field) => field !== null && isGs1(field)) ? 'gs1' : 'data';

/** Fields of which each row may have a value of its own. */
const OWN_VALUES = ['data', 'external_id', 'name', 'file', 'slug'];

/**
 * Returns the fields whose values may have to be unique, and what the file calls them. @param names Those in the
 * template. @param preview `null`: a file without a header row.
 */
export const listUnique = (
  preview: BatchPreview | null,
  mapping: Mapping,
  names: readonly string[],
): readonly (readonly [field: string, name: string])[] => {
  if (preview === null) return OWN_VALUES.map((field) => [field, field]);
  const may = (field: string) => OWN_VALUES.includes(field) || isGs1(field) || names.includes(field);
  return preview.columns.flatMap(({ name }, at) => {
    const field = mapping[at] ?? null;
    return field !== null && may(field) ? [[field, name] as const] : [];
  });
};

/** Makes a column a field. Another column that was this field is left out. */
export const choose = (mapping: Mapping, at: number, field: string | null): Mapping =>
  mapping.map((own, index) => {
    if (index === at) return field;
    return own === field ? null : own;
  });

/** Returns what is wrong with the choice of columns; otherwise `null`. */
export const faultOf = (
  { columns }: BatchPreview,
  mapping: Mapping,
  source = sourceOf(mapping),
): string | null => {
  if (source === 'data' && !mapping.includes('data')) return say('Choose the column with the content.');
  if (source === 'gs1' && !mapping.some((field) => field === 'data' || (field !== null && isGs1(field))))
    return say('Choose the column with the GTIN.');
  const names = columns.map(({ name }) => name);
  const twice = names.find(
    (name, index) => mapping[index] !== null && names.indexOf(name) !== names.lastIndexOf(name),
  );
  return twice === undefined
    ? null
    : say('The file has the column “{twice}” twice. Rename one of them in the file.', { twice });
};

export const listLeftOut = ({ columns }: BatchPreview, mapping: Mapping): readonly string[] =>
  columns.flatMap(({ name }, index) => (mapping[index] === null ? [name] : []));

/** Returns the query of a batch with these columns. Columns that are clear need none. */
export const toQuery = (preview: BatchPreview, mapping: Mapping): ColumnsQuery => {
  const isGuess = mapping.every((field, index) => field === preview.columns[index]?.field);
  const skips: ColumnsQuery = mapping.includes(null) ? { other_columns: 'skip' } : {};
  if (isGuess && preview.fault === null) return skips;
  const chosen = preview.columns.flatMap(({ name }, index) => {
    const field = mapping[index] ?? null;
    return field === null ? [] : [[field, name] as const];
  });
  // Fields that a column has by its name, and that no column is to be.
  const dropped = preview.columns.flatMap(({ field }) =>
    field === null || mapping.includes(field) ? [] : [[field, null] as const],
  );
  return { ...skips, columns: JSON.stringify(Object.fromEntries([...chosen, ...dropped])) };
};

/** What a person chooses. Texts may be empty. */
export interface ContentChoice extends Pick<Content, 'source'> {
  /** Whether all codes are dynamic, whatever the file says. */
  readonly isDynamic: boolean;
  readonly template: string;
  readonly form: 'digital-link' | 'element-string';
  readonly stem: string;
  /** The counter of serial numbers; '': they are in the file, or there are none. */
  readonly serials: string;
}

/** The initial state of a form, except for the source. */
export const NOTHING_CHOSEN: Omit<ContentChoice, 'source'> = {
  isDynamic: false,
  template: '',
  form: 'digital-link',
  stem: '',
  serials: '',
};

/** Returns the names that a template has; none while it is wrong. */
export const namesIn = ({ source, template }: ContentChoice): readonly string[] => {
  const parsed = source === 'template' ? parseTemplate(template) : null;
  return parsed?.ok ? namesOf(parsed.value) : [];
};

/** What every caption may name; all else in one is a column or a counter. */
const OF_ALL: readonly string[] = [...OF_CODES, 'slug', ...OF_GS1];
/** What captions call some fields. */
const CALLED: Readonly<Record<string, string>> = {
  data: 'content',
  name: 'name',
  external_id: 'external_id',
  slug: 'slug',
};
const PLACE = /\{([^{}]+?)(?::0(\d{1,2}))?\}/g;

/** Returns the columns and counters that a caption names. */
export const namesInCaption = (caption: string): readonly string[] =>
  [...caption.matchAll(PLACE)].map(([, name = '']) => name.trim()).filter((name) => !OF_ALL.includes(name));

/** Returns what a caption may say of each row: of columns that are no option of a design, and counters. */
export const captionNamesOf = (
  { columns }: BatchPreview,
  mapping: Mapping,
  counters: readonly string[],
): readonly string[] => {
  const ofColumns = columns.flatMap(({ name }, at) => {
    const field = mapping[at] ?? name;
    const isText = isGs1(field) || (field === name && wordOf(name) === name && !/[.{}:]/.test(name));
    return CALLED[field] ?? (isText ? [field] : []);
  });
  return [...new Set([...ofColumns, ...counters, 'content'])];
};

/** Returns a caption with the cells of the first row. What it says besides stays. */
export const captionOfFirst = (caption: string, { columns, rows }: BatchPreview, mapping: Mapping): string =>
  caption.replace(PLACE, (place, name: string, width?: string) => {
    const at = columns.findIndex((column, index) => {
      const field = mapping[index] ?? column.name;
      return (CALLED[field] ?? field) === name.trim();
    });
    if (at === -1 && width !== undefined) return '1'.padStart(Number(width), '0');
    return at === -1 || name === 'content' ? place : (rows[0]?.[at] ?? '').padStart(Number(width ?? 0), '0');
  });

/** Returns why a template cannot be sent; `null`: it can. */
export const templateFault = ({ source, template }: ContentChoice): string | null => {
  if (source !== 'template') return null;
  if (template === '') return say('Write the template.');
  const parsed = parseTemplate(template);
  return parsed.ok ? null : say('It {fault}.', { fault: parsed.fault });
};

/** A preset may ask for GS1 data of rows that have it already. */
const withForm = (request: QrRequest, { source, form }: ContentChoice): QrRequest =>
  source === 'gs1' ? withField(request, 'qrOptions.gs1', form) : request;

const SAMPLES = {
  'digital-link': 'https://id.gs1.org/01/09521321000018',
  'element-string': '(01)09521321000018',
};

/** Whether a row holds what no QR code of GS1 data in this form does: it is a barcode, which the picture is not. */
const isOfBarcode = (data: string, form: keyof typeof SAMPLES | undefined): boolean =>
  form !== undefined && (/^\d+$/.test(data) || (form === 'digital-link' && data.startsWith('(')));

/** Whether all codes are dynamic. GS1 numbers that are put together for each row cannot be. */
const areDynamic = ({ source, isDynamic }: ContentChoice): boolean => isDynamic && source !== 'gs1';

/** Returns the fields that no column may be, because all rows have them from elsewhere. */
export const givenTo = (choice: ContentChoice): readonly string[] => [
  ...(choice.source === 'gs1' && choice.serials !== '' ? ['serial'] : []),
  ...(areDynamic(choice) ? ['dynamic'] : []),
];

/** Returns the request for a picture of the first code, or of one like it. @param request Its data is a short link. */
export const toPictureRequest = (
  request: QrRequest,
  choice: ContentChoice,
  rows: BatchPreview['composed'],
): QrRequest => {
  const drawn = withForm(request, choice);
  const { gs1 } = drawn.qrOptions ?? {};
  const example = gs1 === undefined ? request.data : SAMPLES[gs1];
  const first = areDynamic(choice)
    ? undefined
    : rows?.find(({ data }) => data !== null && !isOfBarcode(data, gs1))?.data;
  return { ...drawn, data: first ?? example };
};

/** Returns the options of a batch of such rows in the design of a request. */
export const toOptions = (request: QrRequest, choice: ContentChoice): BatchOptions => {
  const { source, template, form, stem, serials } = choice;
  const { data: _, ...drawn } = withForm(request, choice);
  const design = { ...drawn, ...(areDynamic(choice) && { dynamic: true }) };
  if (source === 'template') return { ...design, template };
  if (source === 'data') return design;
  const gs1 = {
    ...(form === 'digital-link' && stem !== '' && { stem }),
    ...(serials !== '' && { columns: { serial: `{${serials}}` } }),
  };
  return {
    ...design,
    ...(Object.keys(gs1).length > 0 && { gs1 }),
  };
};
