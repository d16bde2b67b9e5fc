/** The rows of a file as codes for labels: their data, also from GS1 columns, and what tells them apart. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { RowKeys } from '../../duplicates/rules.ts';
import { planPicture } from '../../generate/plan.ts';
import { toDesign } from '../../generate/request/design.ts';
import { DATA_MAX_CHARACTERS } from '../../generate/request/picture-options.ts';
import { BulkItem } from '../../generate/request/request.ts';
import { gs1ValuesOf } from '../../gs1/check.ts';
import { aiOfColumn, readColumnValue } from '../../gs1/columns.ts';
import { composeColumns, type Gs1Form } from '../../gs1/compose.ts';
import type { LogoSource } from '../../logo/source.ts';
import { ok, type Result, refused } from '../../result.ts';
import { findTillFault } from '../../sheets/check-labels.ts';
import { moduleMm } from '../../sheets/label.ts';
import type { SheetCode } from '../../sheets/maker.ts';
import type { Sheet } from '../../sheets/sheet.ts';
import { createAjv, faultOf } from '../../validation/ajv.ts';
import type { Row } from '../bulk/input.ts';
import { keyOfUnique, keysOfItem } from '../duplicates.ts';
import { nameFlags } from './options.ts';

/** The form of the GS1 data that codes encode, unless a row says another, and what a URI begins with. `null`: any data. */
export type Gs1Columns = { readonly form: Gs1Form; readonly stem: string } | null;

type Fields = Readonly<Record<string, unknown>>;

const makeData = (fields: Fields, form: Gs1Form, stem: string): Result<string, string> => {
  const values = new Map<string, string>();
  for (const [name, text] of Object.entries(fields)) {
    const ai = aiOfColumn(name);
    if (ai === undefined) continue;
    const value = readColumnValue(ai, String(text));
    if (!value.ok) return refused(`${name}: ${value.fault}`);
    values.set(name, value.value);
  }
  const data = composeColumns(values, form, stem);
  return data.ok ? data : refused(`${data.fault.field}: ${data.fault.message}`);
};

/**
 * Returns the fields of a bulk item from those of a row, or what is wrong with its GS1 columns. A row without `data` gets
 * it from them.
 */
const toItem = (fields: Fields, gs1: Gs1Columns): Result<Fields, string> => {
  if (gs1 === null) return ok(fields);
  const { data, qrOptions, ...own } = Object.fromEntries(
    Object.entries(fields).filter(([name]) => aiOfColumn(name) === undefined),
  );
  const asked = { ...own, qrOptions: { gs1: gs1.form, ...(qrOptions as { gs1?: Gs1Form } | undefined) } };
  if (typeof data === 'string' && data.trim() !== '') return ok({ ...asked, data });
  const made = makeData(fields, asked.qrOptions.gs1, gs1.stem);
  return made.ok ? ok({ ...asked, data: made.value }) : made;
};

/**
 * Returns what tells a row from others. One that cannot be drawn has nothing.
 *
 * @param unique The column whose values must be unique; `null`: none.
 * @throws {CliFault} when the row has no value in that column.
 */
export const keysOf = ({ fileRow, item, cells }: Row, gs1: Gs1Columns, unique: string | null): RowKeys => {
  const ofUnique = keyOfUnique(unique, unique === null ? null : cells[unique], fileRow);
  const fields = item.ok ? toItem(JSON.parse(item.value), gs1) : item;
  return { ...(fields.ok ? keysOfItem(fields.value) : {}), ...ofUnique };
};

/** A row as a code, and the side of its modules on paper in mm. */
interface ReadCode {
  readonly code: SheetCode;
  readonly moduleMm: number;
}

/** All logos of a file belong to one caller. */
const ACCOUNT = 'file';

const DYNAMIC =
  'dynamic: needs a gateway; make the codes with tessera bulk, and print the sheets of their folder';

const check = (
  validate: ValidateFunction<BulkItem>,
  gs1: Gs1Columns,
  { item }: Row,
): Result<BulkItem & { data: string }, string> => {
  if (!item.ok) return item;
  const fields = toItem(JSON.parse(item.value) as Readonly<Record<string, unknown>>, gs1);
  if (!fields.ok) return fields;
  const read: unknown = fields.value;
  if (!validate(read)) {
    const { field, message } = faultOf(validate.errors!);
    return refused(`${field}: ${message}`);
  }
  const { data } = read;
  if (typeof data !== 'string' || data.trim() === '' || data.length > DATA_MAX_CHARACTERS)
    return refused('Missing or invalid data');
  return read.dynamic ? refused(DYNAMIC) : ok({ ...read, data });
};

/** What a caption may name in a row. */
export const valuesOf = ({ row, name, content, cells }: Row): SheetCode['values'] => ({
  ...gs1ValuesOf(content),
  ...cells,
  content,
  file: `${name}.png`,
  index: String(row),
});

/** Creates the functions that read a row. Both return why the row cannot be a label. */
export const createCodeReader = (logos: LogoSource, sheet: Sheet, gs1: Gs1Columns = null) => {
  const validate = createAjv((image) => logos.checkSyntax(image) === null).compile<BulkItem>(BulkItem);

  /** Reads only the values of the row's caption. */
  const readValues = (row: Row): Result<SheetCode['values'], string> => {
    const item = check(validate, gs1, row);
    return item.ok ? ok(valuesOf({ ...row, content: item.value.data })) : item;
  };

  const readCode = async (row: Row): Promise<Result<ReadCode, string>> => {
    const item = check(validate, gs1, row);
    if (!item.ok) return item;
    const { data: text, image } = item.value;
    const found = image === undefined ? null : await logos.resolve(image, { accountId: ACCOUNT });
    if (found?.ok === false) return refused(`${found.fault.field}: ${found.fault.message}`);
    const design = toDesign(item.value);
    const plan = planPicture(text, design, found?.value.logo ?? null);
    if (!plan.ok) return refused(`${plan.fault.field}: ${plan.fault.message}`);
    const unread = findTillFault(sheet, text, design);
    if (unread !== null) return refused(nameFlags(unread));
    const logo = found && { key: found.value.sha256, load: async () => found.value.logo };
    return ok({
      code: { values: valuesOf({ ...row, content: text }), picture: { text, design, logo } },
      moduleMm: moduleMm(sheet, plan.value.symbol.moduleCount, design),
    });
  };

  return { readValues, readCode };
};
