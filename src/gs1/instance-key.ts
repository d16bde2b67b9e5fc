/** The key of a single thing, which must be on one label only. */
import type { RowKeys } from '../duplicates.ts';
import { checkGs1 } from './check.ts';
import { writeBrackets } from './element-string.ts';

/**
 * The keys that tell single things apart (GS1 General Specifications, section 3): the AI, where its serial number begins in
 * the value, and the AIs that may complete it. All others name a kind of thing or a place, of which there are many labels.
 */
const INSTANCE_KEYS: readonly {
  readonly ai: string;
  /** The length of the value without its serial number, which may be left out; absent: the value always has it. */
  readonly plainLength?: number;
  /** Further AIs that make it the key of a single thing: one of them must be there. */
  readonly serials?: readonly string[];
  /** Further AIs that are part of the key where they are there. */
  readonly also?: readonly string[];
}[] = [
  { ai: '00' },
  { ai: '01', serials: ['21', '235'] },
  { ai: '8006', serials: ['21'] },
  { ai: '8010', serials: ['8011'] },
  { ai: '253', plainLength: 13 },
  { ai: '255', plainLength: 13 },
  { ai: '8003', plainLength: 14 },
  { ai: '8004' },
  { ai: '8017', also: ['8019'] },
  { ai: '8018', also: ['8019'] },
];

/**
 * Returns the key of the single thing that GS1 data names, such as a GTIN with its serial number or an SSCC, as an element
 * string. It is the same for every form of the data and whatever else the data says. `null`: the text is no GS1 data, or
 * names none.
 */
export const instanceKeyOf = (text: string): string | null => {
  const checked = checkGs1(text);
  if (!checked.ok) return null;
  const values = new Map(checked.value.elements.map(({ ai, value }) => [ai, value]));
  for (const { ai, plainLength = 0, serials = [], also = [] } of INSTANCE_KEYS) {
    const value = values.get(ai);
    if (value === undefined || value.length <= plainLength) continue;
    const own = [...serials, ...also].filter((further) => values.has(further));
    if (serials.length > 0 && own.length === 0) continue;
    return writeBrackets([ai, ...own].map((each) => ({ ai: each, value: values.get(each)! })));
  }
  return null;
};

/** Returns what tells a code from others. @param isGs1 Whether its content must be GS1 data. */
export const keysOfContent = (content: string, isGs1: boolean): RowKeys => {
  const key = isGs1 ? instanceKeyOf(content) : null;
  // The same content has the same key.
  return key === null ? { content } : { 'gs1-key': key };
};
