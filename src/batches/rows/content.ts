/** What the codes of a batch say: each row's data, a template over its columns, or GS1 data built from columns. */
import type { Fault } from '../../../workers/protocol.ts';
import { fillTemplate, namesOf, parseTemplate, type Template } from '../../csv/template.ts';
import { DATA_MAX_CHARACTERS } from '../../generate/request/picture-options.ts';
import { aiOfColumn, GS1_COLUMNS, isKeyColumn, readColumnValue } from '../../gs1/columns.ts';
import { composeColumns, type Gs1Form } from '../../gs1/compose.ts';
import { CANONICAL_STEM, isStem } from '../../gs1/digital-link.ts';
import { ok, type Result, refused } from '../../result.ts';
import { barcodeOf, findQrField } from './barcodes.ts';
import { type CaptionPlan, planCaption } from './captions.ts';
import { type BatchOptions, BatchRow } from './schema.ts';
import { type Counters, isOwnText } from './texts.ts';

/** Placeholders of all templates together: each is filled in for every row. */
const PLACES_MAX = 100;

/** How validated options determine the data of rows. */
export interface ContentPlan {
  /** `null`: rows have data of their own, or GS1 columns. */
  readonly template: Template | null;
  /** Templates of GS1 columns, by column. */
  readonly columns: ReadonlyMap<string, Template>;
  readonly stem: string;
  /** What the caption of all rows names; `null`: they have none. */
  readonly caption: CaptionPlan | null;
  /** All names of all templates and of the caption, except those that every caption may have. */
  readonly names: readonly string[];
}

const fail = (field: string, message: string) => refused({ field, message });

/** Returns the form in which rows without data of their own get GS1 data. Symbols of barcodes hold elements. */
export const formOf = (options: Pick<BatchOptions, 'symbology' | 'qrOptions'>): Gs1Form | undefined =>
  barcodeOf(options) === null ? options.qrOptions?.gs1 : 'element-string';

const findGs1Fault = (options: BatchOptions): Fault | null => {
  const { template, gs1 } = options;
  if (gs1 === undefined) return null;
  const form = formOf(options);
  if (template !== undefined) return { field: 'gs1', message: 'must be absent when there is a template' };
  if (form === undefined) return { field: 'gs1', message: 'needs qrOptions.gs1, or a barcode as symbology' };
  if (gs1.stem === undefined) return null;
  if (form !== 'digital-link')
    return { field: 'gs1.stem', message: 'works only with qrOptions.gs1: digital-link' };
  const rule = 'must be an http or https URL without a slash at its end, such as https://brand.example';
  return isStem(gs1.stem) ? null : { field: 'gs1.stem', message: rule };
};

const readColumns = ({ gs1 }: BatchOptions): Result<ContentPlan['columns'], Fault> => {
  const columns = new Map<string, Template>();
  for (const [column, text] of Object.entries(gs1?.columns ?? {})) {
    const field = `gs1.columns.${column.slice(0, 100)}`;
    if (aiOfColumn(column) === undefined)
      return fail(
        field,
        `is not a GS1 column: use ${Object.keys(GS1_COLUMNS).join(', ')}, or an AI in brackets such as (3103)`,
      );
    const parsed = parseTemplate(text);
    if (!parsed.ok) return fail(field, parsed.fault);
    columns.set(column, { ...parsed.value, isUrl: false });
  }
  return ok(columns);
};

/** Reads the content plan from the options, or says what is wrong with them. */
export const planContent = (options: BatchOptions): Result<ContentPlan, Fault> => {
  const symbology = barcodeOf(options);
  const ofQr = symbology === null ? null : findQrField(options, options, symbology);
  const fault = ofQr ?? findGs1Fault(options);
  if (fault !== null) return refused(fault);
  const parsed = options.template === undefined ? ok(null) : parseTemplate(options.template);
  if (!parsed.ok) return fail('template', parsed.fault);
  const columns = readColumns(options);
  if (!columns.ok) return columns;
  const template = parsed.value;
  const caption = planCaption(options.print?.caption);
  if (!caption.ok) return fail('print.caption', caption.fault);
  const all = template === null ? [...columns.value.values()] : [template];
  const counters = Object.keys(options.counters ?? {});
  const place = template === null ? 'gs1.columns' : 'template';
  const places = all.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'));
  if (places.length > PLACES_MAX) return fail(place, `must have at most ${PLACES_MAX} placeholders`);
  const ofTemplates = [...new Set(all.flatMap(namesOf))];
  const ofCaption = caption.value === null ? [] : namesOf(caption.value);
  const misnamed =
    findMisnamed(place, ofTemplates, counters) ?? findMisnamed('print.caption', ofCaption, counters);
  if (misnamed !== null) return refused(misnamed);
  const names = [...new Set([...ofTemplates, ...ofCaption])];
  const unnamed = counters.find((name) => !names.includes(name));
  if (unnamed !== undefined) return fail(`counters.${unnamed.slice(0, 100)}`, 'is not used in any template');
  const stem = options.gs1?.stem ?? CANONICAL_STEM;
  return ok({ template, columns: columns.value, stem, caption: caption.value, names });
};

/** Returns what is wrong with names; `null`: each may be a column. @param place The option that has them. */
const findMisnamed = (place: string, names: readonly string[], counters: readonly string[]): Fault | null => {
  if (names.includes('id') && !counters.includes('id'))
    return { field: place, message: 'names id; your own id of a row is external_id' };
  const option = names.find(
    (name) =>
      Object.hasOwn(BatchRow.properties, name) &&
      !counters.includes(name) &&
      !isOwnText(name) &&
      aiOfColumn(name) === undefined,
  );
  return option === undefined
    ? null
    : {
        field: place,
        message: `names ${option}, which is an option of rows and no text; give the column another name`,
      };
};

/** Returns a row's column values by name: those of GS1 columns, and the row's own. */
export const valuesOf = (row: BatchRow): ReadonlyMap<string, string> => {
  const values = new Map<string, string>(Object.entries(row.values ?? {}));
  for (const name of Object.keys(GS1_COLUMNS) as (keyof typeof GS1_COLUMNS)[]) {
    const value = row[name];
    if (value !== undefined) values.set(name, value);
  }
  return values;
};

/** The fault of a column whose value nothing uses. */
const UNUSED =
  'is not used: a template or a caption must name it, or qrOptions.gs1 or a barcode make data of it in a row without data; leave it out';

/** The fault of data, or of the value of a GS1 column, that a template makes. */
const TOO_LONG = `must have at most ${DATA_MAX_CHARACTERS} characters`;

/**
 * Creates the function that returns what a row's code says.
 *
 * @param counters The counter of each name that is one.
 * @returns A function of a validated row, the form of GS1 that its options ask for, the number of a counter, and the
 *   names in the row's own caption.
 */
export const createContent = ({ template, columns, stem, names }: ContentPlan, counters: Counters) => {
  const isUsed = (name: string, composes: boolean): boolean =>
    names.includes(name) || (composes && aiOfColumn(name) !== undefined);

  const findMisfit = (
    values: ReadonlyMap<string, string>,
    composes: boolean,
    captioned: readonly string[],
  ): Fault | null => {
    for (const name of values.keys()) {
      if (Object.hasOwn(counters, name))
        return {
          field: name,
          message: `is a counter here; leave it out, or give the counter another name by "counters"`,
        };
      if (columns.has(name)) return { field: name, message: 'must be absent: gs1.columns says what it is' };
      if (!isUsed(name, composes) && !captioned.includes(name)) return { field: name, message: UNUSED };
    }
    return null;
  };

  /** Reads the values of GS1 columns. When no GS1 data is asked for, all but the keys may be any text. */
  const readAll = (
    values: ReadonlyMap<string, string>,
    isGs1: boolean,
  ): Result<Map<string, string>, Fault> => {
    const read = new Map(values);
    for (const [name, text] of values) {
      const ai = aiOfColumn(name);
      if (ai === undefined || !(isGs1 || isKeyColumn(ai))) continue;
      const value = readColumnValue(ai, text);
      if (!value.ok) return fail(name, value.fault);
      read.set(name, value.value);
    }
    return ok(read);
  };

  return (
    row: BatchRow,
    form: Gs1Form | undefined,
    numberOf: (counter: string) => number,
    captioned: readonly string[] = [],
  ) => {
    const { data = '' } = row;
    const isBlank = data.trim() === '';
    const composes = template === null && form !== undefined && isBlank;
    const values = valuesOf(row);
    const misfit = findMisfit(values, composes, captioned);
    if (misfit !== null) return refused(misfit);
    if (template === null && !composes) {
      if (!isBlank) return ok(data);
      return fail('data', row.data === undefined ? 'is required' : 'must not be blank');
    }
    if (template !== null && row.data !== undefined && !names.includes('data'))
      return fail('data', 'must be absent: the template says what it is');
    const read = readAll(values, form !== undefined);
    if (!read.ok) return read;
    const textOf = (name: string): string | undefined => {
      const counter = Object.hasOwn(counters, name) ? counters[name] : undefined;
      if (counter !== undefined) return String(numberOf(counter));
      return isOwnText(name) ? row[name] : read.value.get(name);
    };
    if (template !== null) {
      const filled = fillTemplate(template, textOf, DATA_MAX_CHARACTERS);
      if (!filled.ok) return fail('template', filled.fault);
      return filled.value.length > DATA_MAX_CHARACTERS ? fail('data', TOO_LONG) : filled;
    }
    for (const [column, each] of columns) {
      const filled = fillTemplate(each, textOf, DATA_MAX_CHARACTERS);
      if (!filled.ok) return fail(`gs1.columns.${column}`, filled.fault);
      if (filled.value.length > DATA_MAX_CHARACTERS) return fail(column, TOO_LONG);
      const value = readColumnValue(aiOfColumn(column)!, filled.value);
      if (!value.ok) return fail(column, value.fault);
      read.value.set(column, value.value);
    }
    return composeColumns(read.value, form!, stem);
  };
};
