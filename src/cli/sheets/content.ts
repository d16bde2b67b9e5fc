/** Makes the data of labels from GS1 columns. */
import { aiOfColumn, readColumnValue } from '../../gs1/columns.ts';
import { composeColumns, type Gs1Form } from '../../gs1/compose.ts';
import { ok, type Result, refused } from '../../result.ts';

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
export const toItem = (fields: Fields, gs1: Gs1Columns): Result<Fields, string> => {
  if (gs1 === null) return ok(fields);
  const { data, qrOptions, ...own } = Object.fromEntries(
    Object.entries(fields).filter(([name]) => aiOfColumn(name) === undefined),
  );
  const asked = { ...own, qrOptions: { gs1: gs1.form, ...(qrOptions as { gs1?: Gs1Form } | undefined) } };
  if (typeof data === 'string' && data.trim() !== '') return ok({ ...asked, data });
  const made = makeData(fields, asked.qrOptions.gs1, gs1.stem);
  return made.ok ? ok({ ...asked, data: made.value }) : made;
};
