/** Writes GS1 data from separate values, one for each AI. */
import { fixedLengthOf } from '../../workers/symbol/gs1.ts';
import { ok, type Result, refused } from '../result.ts';
import { aiOfColumn } from './columns.ts';
import { writeUri } from './digital-link.ts';
import { writeBrackets } from './element-string.ts';
import { tellFault } from './fault.ts';
import { findPairFaults } from './values.ts';

/** The forms that GS1 data may have in a code. */
export type Gs1Form = 'digital-link' | 'element-string';

/** AIs without a separator come first, which is shortest: GS1 General Specifications, 7.8.4. */
const orderOf = (ai: string): string => `${fixedLengthOf(ai) === undefined ? 1 : 0}${ai}`;

/**
 * Writes valid values as an element string or as a Digital Link URI, or says what is missing or too much.
 *
 * @param values By AI; at least one.
 * @param stem What stands before the path of a URI.
 */
export const composeGs1 = (
  values: ReadonlyMap<string, string>,
  form: Gs1Form,
  stem: string,
): Result<string, string> => {
  const elements = [...values]
    .sort(([a], [b]) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map(([ai, value]) => ({ ai, value, raw: value, start: 0 }));
  const [fault] = findPairFaults(elements);
  if (fault !== undefined) return refused(tellFault(fault).replace(/, character \d+/, ''));
  if (form === 'element-string') return ok(writeBrackets(elements));
  const uri = writeUri(elements, stem);
  return uri === null
    ? refused(
        `cannot make a Digital Link URI of (${[...values.keys()].join('), (')}): it needs a primary key such as gtin, and only AIs that go with it`,
      )
    : ok(uri);
};

/**
 * Makes data from values that `readColumnValue` has read, by the names of their columns. Columns that are not AIs are
 * left out. A fault is on a column or on `data`.
 */
export const composeColumns = (
  values: ReadonlyMap<string, string>,
  form: Gs1Form,
  stem: string,
): Result<string, { readonly field: string; readonly message: string }> => {
  const byAi = new Map<string, string>();
  for (const [field, value] of values) {
    const ai = aiOfColumn(field);
    if (ai === undefined) continue;
    if (byAi.has(ai))
      return refused({ field, message: `is (${ai}), and so is another column; keep one of them` });
    byAi.set(ai, value);
  }
  if (byAi.size === 0)
    return refused({ field: 'data', message: 'is required, unless there are GS1 columns such as gtin' });
  const composed = composeGs1(byAi, form, stem);
  return composed.ok ? composed : refused({ field: 'data', message: composed.fault });
};
