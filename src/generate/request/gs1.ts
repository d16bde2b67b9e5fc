/** What `qrOptions.gs1` asks of the content of a symbol. */
import type { Fault, SymbolRequest } from '../../../workers/protocol.ts';
import { checkGs1, convertGs1 } from '../../gs1/check.ts';
import { tellFault } from '../../gs1/fault.ts';

const WANTED = {
  'digital-link': { what: 'a GS1 Digital Link URI', write: 'digitalLink' },
  'element-string': { what: 'a GS1 element string', write: 'elementString' },
} as const;

/**
 * Returns what is wrong with a content that must be GS1 data; `null`: nothing, or it may be any text. Data in the other
 * form is refused and not converted, so that `data` is what the symbol says; the fault has it in the right form.
 */
export const findGs1Fault = (text: string, { gs1 }: Pick<SymbolRequest, 'gs1'>): Fault | null => {
  if (gs1 === undefined) return null;
  const checked = checkGs1(text);
  if (!checked.ok) return { field: 'data', message: checked.fault.map(tellFault).join('; ') };
  const isUri = checked.value.form === 'digital-link';
  if (isUri === (gs1 === 'digital-link')) return null;
  const { what, write } = WANTED[gs1];
  const right = convertGs1(checked.value)[write];
  const advice = right === null ? 'this data has none' : `send "${right}"`;
  return { field: 'data', message: `must be ${what} (qrOptions.gs1): ${advice}` };
};

/** Returns what is wrong with a dynamic code; `null`: nothing. Its symbol says a short link, which is no GS1 data. */
export const findDynamicGs1Fault = ({ gs1 }: Pick<SymbolRequest, 'gs1'>): Fault | null =>
  gs1 === undefined
    ? null
    : {
        field: 'qrOptions.gs1',
        message: 'must be absent when dynamic is true: the symbol encodes a short link',
      };
