/** The rows of a file as codes for labels. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { toDesign } from '../../generate/request/design.ts';
import { DATA_MAX_CHARACTERS } from '../../generate/request/picture-options.ts';
import { BulkItem } from '../../generate/request/request.ts';
import { planPicture } from '../../generate/task.ts';
import { gs1ValuesOf } from '../../gs1/check.ts';
import type { LogoSource } from '../../logo/source.ts';
import { ok, type Result, refused } from '../../result.ts';
import { moduleMm } from '../../sheets/label.ts';
import type { SheetCode } from '../../sheets/maker.ts';
import type { Sheet } from '../../sheets/sheet.ts';
import { findTillFault } from '../../sheets/till.ts';
import { createAjv, faultOf } from '../../validation/ajv.ts';
import type { Row } from '../bulk/input/input.ts';
import { type Gs1Columns, toItem } from './content.ts';
import { nameFlags } from './options.ts';

/** A row as a code, and the side of its modules on paper in mm. */
export interface ReadCode {
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
