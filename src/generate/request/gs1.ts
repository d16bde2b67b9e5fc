/** What `qrOptions.gs1` asks of the content of a symbol. */
import type { Fault, SymbolRequest } from '../../../workers/protocol.ts';
import { checkGs1, convertGs1 } from '../../gs1/check.ts';
import { type Element, writeReadable } from '../../gs1/element-string.ts';
import { tellFault } from '../../gs1/fault.ts';
import { ok, type Result, refused } from '../../result.ts';

const FORMS = {
  'digital-link': { what: 'a GS1 Digital Link URI', write: 'digitalLink' },
  'element-string': { what: 'a GS1 element string', write: 'elementString' },
} as const;

/**
 * Returns what is wrong with a content that must be GS1 data; `null`: nothing, or it may be any text. Data in the other
 * form is refused and not converted, so that `data` is what the symbol encodes; the fault shows the right form.
 */
export const findGs1Fault = (text: string, { gs1 }: Pick<SymbolRequest, 'gs1'>): Fault | null => {
  if (gs1 === undefined) return null;
  const checked = checkGs1(text);
  if (!checked.ok) return { field: 'data', message: checked.fault.map(tellFault).join('; ') };
  const isUri = checked.value.form === 'digital-link';
  if (isUri === (gs1 === 'digital-link')) return null;
  const { what, write } = FORMS[gs1];
  const right = convertGs1(checked.value)[write];
  const advice = right === null ? 'this data has none' : `send "${right}"`;
  return { field: 'data', message: `must be ${what} (qrOptions.gs1): ${advice}` };
};

/** Returns what is wrong with a dynamic code; `null`: nothing. Its symbol encodes a short link, not GS1 data. */
export const findDynamicGs1Fault = ({ gs1 }: Pick<SymbolRequest, 'gs1'>): Fault | null =>
  gs1 === undefined
    ? null
    : {
        field: 'qrOptions.gs1',
        message: 'must be absent when dynamic is true: the symbol encodes a short link',
      };

/** What a till reads: a Digital Link URI with the GTIN of a trade item that is sold there. */
const findTillFault = (text: string, elements: readonly Element[]): Fault | null => {
  const fault = findGs1Fault(text, { gs1: 'digital-link' });
  if (fault !== null) return { ...fault, message: fault.message.replace('(qrOptions.gs1)', 'for tills') };
  return findTillGtinFault(elements);
};

/** Returns why elements do not name a trade item that is sold at a till; `null`: they do. */
export const findTillGtinFault = (elements: readonly Element[]): Fault | null => {
  const gtin = elements.find(({ ai }) => ai === '01')?.value;
  if (gtin === undefined) return { field: 'data', message: 'must have a GTIN, AI (01), for tills' };
  return gtin.startsWith('0')
    ? null
    : {
        field: 'data',
        message: `has the GTIN-14 ${gtin}, of a case; tills take GTIN-8, GTIN-12 and GTIN-13: write them with zeros in front`,
      };
};

/**
 * Returns the GS1 data of a content as people read it, a text for each element.
 *
 * @param isForTill Whether tills must take it.
 */
export const readGs1 = (
  text: string,
  { gs1 }: Pick<SymbolRequest, 'gs1'>,
  isForTill = false,
): Result<readonly string[], Fault> => {
  const checked = checkGs1(text);
  if (!checked.ok) return refused({ field: 'data', message: checked.fault.map(tellFault).join('; ') });
  const { elements } = checked.value;
  if (isForTill && gs1 === 'element-string') {
    return refused({ field: 'qrOptions.gs1', message: 'must be digital-link, or absent, for tills' });
  }
  const fault = isForTill ? findTillFault(text, elements) : null;
  return fault === null ? ok(writeReadable(elements)) : refused(fault);
};
