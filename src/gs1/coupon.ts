/** Coupons of North America: GS1 US, North American Coupon Application Guideline Using GS1 DataBar Expanded. */
import { findDayProblem } from './dates.ts';
import type { Problem } from './fault.ts';

/** A field: `digits` of them, or a date; or a first digit, and then as many digits as it says, plus `more`. */
interface Field {
  readonly name: string;
  readonly digits?: number;
  readonly isDate?: true;
  /** What the first digit may be; absent: any. */
  readonly first?: string;
  /** Absent: the first digit is all. */
  readonly more?: number;
  /** The first digit after which nothing follows. */
  readonly none?: string;
}

const prefixOf = (name: string): Field => ({ name, first: '0123456', more: 6 });
const requirementOf = (which: string): readonly Field[] => [
  { name: `${which} purchase requirement`, first: '12345', more: 0 },
  { name: `${which} purchase requirement code`, first: '012349' },
  { name: `${which} purchase family code`, digits: 3 },
];
/** For the second and third purchase, 9 means no company prefix. */
const otherPrefixOf = (which: string): Field => ({
  name: `company prefix of the ${which} purchase`,
  first: '01234569',
  more: 6,
  none: '9',
});

const OFFER_CODE: Field = { name: 'offer code', digits: 6 };
const SERIAL: Field = { name: 'serial number', more: 6 };

const COUPON: readonly Field[] = [
  prefixOf('company prefix'),
  OFFER_CODE,
  { name: 'save value', first: '12345', more: 0 },
  ...requirementOf('first'),
];

/** Fields that may follow, each group after its digit, in this order. */
const OPTIONAL: readonly (readonly [digit: string, fields: readonly Field[]])[] = [
  [
    '1',
    [
      { name: 'additional purchase rules', first: '0123' },
      ...requirementOf('second'),
      otherPrefixOf('second'),
    ],
  ],
  ['2', [...requirementOf('third'), otherPrefixOf('third')]],
  ['3', [{ name: 'expiration date', isDate: true }]],
  ['4', [{ name: 'start date', isDate: true }]],
  ['5', [SERIAL]],
  ['6', [{ name: 'company prefix or GLN of the retailer', first: '1234567', more: 6 }]],
  [
    '9',
    [
      { name: 'save value code', first: '01256' },
      { name: 'item that the save value applies to', first: '012' },
      { name: 'store coupon flag', digits: 1 },
      { name: "don't multiply flag", first: '01' },
    ],
  ],
];

const OFFER: readonly Field[] = [{ name: 'format', first: '01' }, prefixOf('funder'), OFFER_CODE, SERIAL];

const findDateProblem = findDayProblem('YYMMDD', false);

/** Returns where a field ends, or what is wrong with it. */
const readField = (text: string, at: number, { name, first: choices, ...field }: Field): number | Problem => {
  const first = text[at];
  if (first === undefined) return { offset: at, message: `ends before its ${name}` };
  if (choices !== undefined && !choices.includes(first)) {
    return { offset: at, message: `the ${name} must begin with one of ${choices}` };
  }
  const counted = field.more === undefined || first === field.none ? 0 : Number(first) + field.more;
  const end = at + (field.isDate ? 6 : (field.digits ?? 1 + counted));
  if (end > text.length) return { offset: at, message: `ends within its ${name}` };
  const problem = field.isDate ? findDateProblem(text.slice(at, end)) : null;
  return problem === null ? end : { offset: at + problem.offset, message: `${name}: ${problem.message}` };
};

const readFields = (text: string, start: number, fields: readonly Field[]): number | Problem => {
  let at = start;
  for (const field of fields) {
    const end = readField(text, at, field);
    if (typeof end !== 'number') return end;
    at = end;
  }
  return at;
};

const findNonDigit = (text: string): Problem | null => {
  const offset = text.search(/\D/);
  return offset < 0 ? null : { offset, message: 'must be digits alone' };
};

/** Checks a coupon code, AI 8110. */
export const findCouponProblem = (text: string): Problem | null => {
  const nonDigit = findNonDigit(text);
  if (nonDigit !== null) return nonDigit;
  let at = readFields(text, 0, COUPON);
  let expires: string | null = null;
  for (const [digit, fields] of OPTIONAL) {
    if (typeof at !== 'number') return at;
    if (text[at] !== digit) continue;
    const start = at + 1;
    at = readFields(text, start, fields);
    if (typeof at !== 'number') return at;
    if (digit === '3') expires = text.slice(start, at);
    if (digit === '4' && expires !== null && text.slice(start, at) > expires) {
      return { offset: start, message: 'the coupon starts after its expiration date' };
    }
  }
  if (typeof at !== 'number') return at;
  if (at === text.length) return null;
  return { offset: at, message: 'optional fields are 1, 2, 3, 4, 5, 6 and 9, in this order' };
};

/** Checks a positive offer file coupon, AI 8112. */
export const findOfferProblem = (text: string): Problem | null => {
  const nonDigit = findNonDigit(text);
  if (nonDigit !== null) return nonDigit;
  const end = readFields(text, 0, OFFER);
  if (typeof end !== 'number') return end;
  return end === text.length ? null : { offset: end, message: 'must end after its serial number' };
};
