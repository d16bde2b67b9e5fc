/** The guard: reads GS1 data in any form, checks it, and writes it in the other forms. */
import type { RowKeys } from '../duplicates/rules.ts';
import { ok, type Result, refused } from '../result.ts';
import { identifierOf } from './dictionary.ts';
import { CANONICAL_STEM, isUri, type ParsedUri, parseUri, writeUri } from './digital-link.ts';
import {
  type Element,
  parseBrackets,
  parseFnc1,
  placeOf,
  writeBrackets,
  writeFnc1,
  writeReadable,
} from './element-string.ts';
import { FAULTS_MAX, type Gs1Fault } from './fault.ts';
import { findPairFaults, findValueProblem } from './values.ts';

/** The forms of GS1 data: AIs in brackets, as scanners send them, and a Digital Link URI. */
export const FORMS = ['brackets', 'fnc1', 'digital-link'] as const;
export type Form = (typeof FORMS)[number];

/** Data without a fault. */
export interface Checked {
  readonly form: Form;
  /** In the order in which they were sent; a repeated AI stands once. */
  readonly elements: readonly Element[];
  /** Of a URI: everything before its primary key, without the slash. */
  readonly stem: string | null;
}

/** Returns the form that a text seems to have. */
export const formOf = (text: string): Form =>
  text.startsWith('(') ? 'brackets' : isUri(text) ? 'digital-link' : 'fnc1';

const READERS: Readonly<
  Record<Form, (text: string) => Omit<ParsedUri, 'stem'> & { readonly stem?: string }>
> = {
  brackets: parseBrackets,
  fnc1: parseFnc1,
  'digital-link': parseUri,
};

const findValueFaults = (elements: readonly Element[]): readonly Gs1Fault[] => {
  const faults: Gs1Fault[] = [];
  for (const element of elements) {
    const { ai, value } = element;
    const problem = findValueProblem(identifierOf(ai)!, value);
    if (problem === null) continue;
    faults.push({ ai, position: placeOf(element, problem.offset), message: problem.message });
  }
  return faults;
};

/** People paste a GTIN without its AI. */
const isBareGtin = (text: string): boolean => /^(?:\d{8}|\d{12,14})$/.test(text);

const bareGtin = (text: string): Gs1Fault => ({
  ai: null,
  position: 1,
  message: `this is a number without an AI: write a GTIN as "(01)${text.padStart(14, '0')}"`,
});

/** What scanners send before data of other symbols than a QR code with GS1 data: ISO/IEC 15424. */
const OTHER_SYMBOLS: Readonly<Record<string, string>> = {
  ']C1': 'a GS1-128 barcode',
  ']d2': 'a GS1 DataMatrix',
  ']e0': 'a GS1 DataBar',
  ']J1': 'a GS1 DotCode',
  ']Q1': 'a QR code that holds no element string',
};

/** Says what people copy along with the data: the identifier of a symbol, and spaces. */
const findCopied = (text: string): Gs1Fault | null => {
  const symbol = OTHER_SYMBOLS[text.slice(0, 3)];
  if (symbol !== undefined) {
    const message = `"${text.slice(0, 3)}" is what a scanner sends before the data of ${symbol}: leave it out`;
    return { ai: null, position: 1, message };
  }
  const square = text.search(/\[\d{2,4}\]/);
  if (square >= 0) {
    const message = 'AIs stand in round brackets, such as "(01)"';
    return { ai: null, position: square + 1, message };
  }
  const at = text.search(/\s/);
  if (at < 0) return null;
  const message =
    'GS1 data has no spaces or line breaks; only the text that is printed for people has them: leave them out';
  return { ai: null, position: at + 1, message };
};

const distinctOf = (elements: readonly Element[]): readonly Element[] => {
  const seen = new Set<string>();
  return elements.filter(({ ai }) => !seen.has(ai) && seen.add(ai));
};

/** Checks GS1 data. Returns its elements, or its faults, at most `FAULTS_MAX`, in the order in which they are found. */
export const checkGs1 = (text: string, form: Form = formOf(text)): Result<Checked, readonly Gs1Fault[]> => {
  const { elements, faults, stem = null } = READERS[form](text);
  if (elements.length === 0 && faults.length === 0) {
    return refused([
      { ai: null, position: 1, message: 'is empty: write an AI and its value, such as "(01)09506000134352"' },
    ]);
  }
  if (faults.length > 0 && form === 'fnc1' && isBareGtin(text)) return refused([bareGtin(text)]);
  const found = [...faults, ...findValueFaults(elements)];
  const copied = found.length > 0 && form !== 'digital-link' ? findCopied(text) : null;
  if (copied !== null) return refused([copied]);
  // What is missing or too much can be said only when every AI is known.
  const all = faults.length > 0 ? found : [...found, ...findPairFaults(elements)];
  if (all.length > 0) return refused(all.slice(0, FAULTS_MAX));
  return ok({ form, elements: distinctOf(elements), stem });
};

/** Data in all forms. */
export interface Converted {
  readonly elementString: string;
  /** With U+001D for FNC1. */
  readonly fnc1: string;
  /** `null`: the data cannot be written as a Digital Link URI. */
  readonly digitalLink: string | null;
  /** The value of AI 01: 14 digits. */
  readonly gtin: string | null;
}

/** Writes data in all forms. @param stem What precedes the path of the URI; absent: that of the data, or GS1's. */
export const convertGs1 = ({ elements, stem }: Checked, ownStem?: string): Converted => ({
  elementString: writeBrackets(elements),
  fnc1: writeFnc1(elements),
  digitalLink: writeUri(elements, ownStem ?? stem ?? CANONICAL_STEM),
  gtin: elements.find(({ ai }) => ai === '01')?.value ?? null,
});

/** Returns the GS1 data of a content as people read it, in one line, and its GTIN: both '' without such data. */
export const gs1ValuesOf = (content: string): Readonly<Record<'gs1' | 'gtin', string>> => {
  const checked = checkGs1(content);
  if (!checked.ok) return { gs1: '', gtin: '' };
  return {
    gs1: writeReadable(checked.value.elements).join(' '),
    gtin: convertGs1(checked.value).gtin ?? '',
  };
};

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
