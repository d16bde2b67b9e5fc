/** The bars of EAN-13 and UPC-A: GS1 General Specifications, 5.2; ISO/IEC 15420. */

/** Dark and light modules of the digits 0 to 9 in number set A: light, dark, light, dark. */
const SET_A = [
  ...['0001101', '0011001', '0010011', '0111101', '0100011'],
  ...['0110001', '0101111', '0111011', '0110111', '0001011'],
];
const complement = (modules: string): string => modules.replace(/./g, (module) => String(1 - Number(module)));
const reverse = (modules: string): string => [...modules].reverse().join('');
/** The right half. Number set B is its mirror image. */
const SET_C = SET_A.map(complement);
const SET_B = SET_C.map(reverse);

/** The number sets of the six digits of the left half, by the digit before them, which has no bars of its own. */
const LEFT_SETS = [
  ...['AAAAAA', 'AABABB', 'AABBAB', 'AABBBA', 'ABAABB'],
  ...['ABBAAB', 'ABBBAA', 'ABABAB', 'ABABBA', 'ABBABA'],
];

const SIDE_GUARD = '101';
const CENTRE_GUARD = '01010';
/** Two bars and two spaces. */
export const DIGIT_MODULES = 7;
/** Modules of a half: six digits. */
export const HALF_MODULES = 6 * DIGIT_MODULES;
/** Where the halves begin. */
export const HALVES = [SIDE_GUARD.length, SIDE_GUARD.length + HALF_MODULES + CENTRE_GUARD.length] as const;
/** Modules of all bars, from the first to the last dark one. */
export const BARS_ACROSS = 2 * SIDE_GUARD.length + 2 * HALF_MODULES + CENTRE_GUARD.length;

/** Some dark modules side by side. */
export interface Bar {
  readonly from: number;
  readonly modules: number;
}

/** Returns the bars of 13 digits, of which the first chooses the number sets. UPC-A has a zero there. */
export const barsOf = (digits: string): readonly Bar[] => {
  const [first, ...others] = [...digits].map(Number) as [number, ...number[]];
  const sets = LEFT_SETS[first]!;
  const left = others.slice(0, 6).map((digit, i) => (sets[i] === 'A' ? SET_A : SET_B)[digit]!);
  const right = others.slice(6).map((digit) => SET_C[digit]!);
  const modules = [SIDE_GUARD, ...left, CENTRE_GUARD, ...right, SIDE_GUARD].join('');
  return [...modules.matchAll(/1+/g)].map(({ index, 0: { length } }) => ({ from: index, modules: length }));
};
