import { type BitRows, popCount } from './bit-rows.ts';

/**
 * Scores a masked symbol; lower is better. The rules are those of `qrcode-generator` 1.5, which the browser library
 * draws with, and not those of the standard. Format and version information must be light.
 *
 * - a module with e > 5 of its 8 neighbours in its own colour costs e - 2
 * - a 2 x 2 block of one colour costs 3
 * - dark, light, dark, dark, dark, light, dark in a row or a column costs 40
 * - |dark % - 50| / 5 costs 10 a unit, not rounded
 *
 * Stops when the score reaches `limit`, and then returns `limit` or more. Works on 32 modules at a time. The size of a
 * symbol is odd, so the last word of a row is never full.
 */
export const penaltyOf = (rows: BitRows, limit = Number.POSITIVE_INFINITY): number => {
  const { size, words, bits } = rows;
  let dark = 0;
  for (let i = 0; i < bits.length; i += 1) dark += popCount(bits[i]!);
  // The order of operations matters: the last bit decides between masks with nearly equal penalties.
  const balance = (Math.abs((100 * dark) / size / size - 50) / 5) * 10;

  // The rule whose points differ most between masks comes first.
  let points = 0;
  for (let word = 0; word < words; word += 1) points += 40 * finderLikeRuns(rows, word);
  for (let word = 0; word < words && points + balance < limit; word += 1) {
    points += crowdingPoints(rows, word, Math.ceil(limit - balance) + 1 - points);
  }
  return points + balance;
};

/** Applies the first two rules to the modules of one word of every row. Stops at the row that reaches `limit`. */
const crowdingPoints = ({ size, words, bits }: BitRows, word: number, limit: number): number => {
  const first = word === 0;
  const last = word === words - 1;
  const inside = last ? (1 << (size % 32)) - 1 : -1;
  const leftEdge = first ? 1 : 0;
  const rightEdge = last ? 1 << ((size - 1) % 32) : 0;
  let points = 0;
  // Three rows, each also shifted so that a module's left or right neighbour takes its place. Above the first row
  // every neighbour differs.
  let at = bits[word]!;
  let up = ~at;
  let upLeft = up;
  let upRight = up;
  let atLeft = (at << 1) | (first ? 0 : bits[word - 1]! >>> 31);
  let atRight = (at >>> 1) | (last ? 0 : bits[word + 1]! << 31);
  for (let row = 0; row < size && points < limit; row += 1) {
    const next = (row + 1) * words + word;
    const bottomEdge = row === size - 1 ? -1 : 0;
    const down = bottomEdge ? 0 : bits[next]!;
    // The first word takes the last bit of the row above, which is never set and lies beyond the edge.
    const downLeft = (down << 1) | (bottomEdge ? 0 : bits[next - 1]! >>> 31);
    const downRight = (down >>> 1) | (last || bottomEdge ? 0 : bits[next + 1]! << 31);

    // A bit is 1 where that neighbour differs or lies outside the symbol.
    const right = (at ^ atRight) | rightEdge;
    const below = (at ^ down) | bottomEdge;
    const belowRight = (at ^ downRight) | bottomEdge | rightEdge;
    points += 3 * popCount(~(right | below | belowRight) & inside);
    points += pointsOfEight(
      inside,
      (at ^ atLeft) | leftEdge,
      right,
      at ^ up,
      (at ^ upLeft) | leftEdge,
      (at ^ upRight) | rightEdge,
      below,
      (at ^ downLeft) | bottomEdge | leftEdge,
      belowRight,
    );
    up = at;
    upLeft = atLeft;
    upRight = atRight;
    at = down;
    atLeft = downLeft;
    atRight = downRight;
  }
  return points;
};

/**
 * Gives 6, 5 or 4 points to each bit position at which none, one or two of a to h are set. It adds with carry-save
 * adders: the number of bits set is `ones` + 2 x the number of carries.
 */
const pointsOfEight = (
  inside: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
): number => {
  const sum1 = a ^ b ^ c;
  const carry1 = (a & b) | ((a | b) & c);
  const sum2 = d ^ e ^ f;
  const carry2 = (d & e) | ((d | e) & f);
  const sum3 = g ^ h;
  const carry3 = g & h;
  const ones = sum1 ^ sum2 ^ sum3;
  const carry4 = (sum1 & sum2) | ((sum1 | sum2) & sum3);
  const noCarry = ~(carry1 | carry2 | carry3 | carry4) & inside;
  const pair = (carry1 & carry2) | (carry3 & carry4);
  const oneCarry = (carry1 ^ carry2 ^ carry3 ^ carry4) & ~pair & inside;
  return 6 * popCount(noCarry & ~ones) + 5 * popCount(noCarry & ones) + 4 * popCount(oneCarry & ~ones);
};

/** Counts where 1011101 starts in one word of every row, along the row and down the column. */
const finderLikeRuns = ({ size, words, bits }: BitRows, word: number): number => {
  const isLastWord = word === words - 1;
  const end = (size - 6) * words;
  let runs = 0;
  for (let i = word; i < bits.length; i += words) {
    const at = bits[i]!;
    const ahead = isLastWord ? 0 : bits[i + 1]!;
    let along = at & ~((at >>> 1) | (ahead << 31)) & ((at >>> 2) | (ahead << 30));
    along &= ((at >>> 3) | (ahead << 29)) & ((at >>> 4) | (ahead << 28));
    along &= ~((at >>> 5) | (ahead << 27)) & ((at >>> 6) | (ahead << 26));
    if (along !== 0) runs += popCount(along);
    if (i >= end) continue;
    let down = at & ~bits[i + words]! & bits[i + 2 * words]! & bits[i + 3 * words]!;
    down &= bits[i + 4 * words]! & ~bits[i + 5 * words]! & bits[i + 6 * words]!;
    if (down !== 0) runs += popCount(down);
  }
  return runs;
};
