/** Writes GS1 data of values that stand apart, one for each AI. */
import { fixedLengthOf } from '../../workers/symbol/gs1.ts';
import { ok, type Result, refused } from '../result.ts';
import { writeUri } from './digital-link.ts';
import { writeBrackets } from './element-string.ts';
import { tellFault } from './fault.ts';
import { findPairFaults } from './pairs.ts';

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
  form: 'digital-link' | 'element-string',
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
        `no Digital Link URI can say (${[...values.keys()].join('), (')}): it needs a primary key such as gtin, and only AIs that go with it`,
      )
    : ok(uri);
};
