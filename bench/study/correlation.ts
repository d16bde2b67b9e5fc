/** Returns the ranks of values, where equal values share their mean rank. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let i = from; i < to; i += 1) ranks[order[i]!] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

/** Returns Spearman's rank correlation, which is Pearson's correlation of the ranks. NaN when all values are equal. */
export function spearman(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [ranksOf(one), ranksOf(other)];
  const middle = (a.length - 1) / 2;
  let [both, ofOne, ofOther] = [0, 0, 0];
  for (const [i, rank] of a.entries()) {
    const [da, db] = [rank - middle, b[i]! - middle];
    both += da * db;
    ofOne += da * da;
    ofOther += db * db;
  }
  return both / Math.sqrt(ofOne * ofOther);
}
