const byteOf = (color: number, channel: number): number => (color >>> (8 * channel)) & 255;

/** The Paeth predictor exactly as in PNG (third edition), 9.4. */
const paeth = (a: number, b: number, c: number): number => {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
};

/**
 * A naive implementation of the filters of `trueColorScanlines`. A row of which less than a tenth
 * differs from the row above is filtered with Up. Of the others, those in which more than 15 % of the pixels are in
 * runs of at least eight new ones are filtered with Paeth. A pixel is new when it repeats none of the pixels to its
 * left, above, above left and above right; the first of a row is not.
 */
export const naiveScanlines = (pixels: Int32Array, widthPx: number, pixelBytes: number): Buffer => {
  const rows: number[] = [];
  for (let from = 0; from < pixels.length; from += widthPx) {
    const filter = from === 0 ? 0 : filterOf(pixels, from, widthPx);
    rows.push(filter);
    for (let i = from; i < from + widthPx; i += 1) {
      for (let channel = 0; channel < pixelBytes; channel += 1) {
        const at = (place: number, isThere = true) => (isThere ? byteOf(pixels[place]!, channel) : 0);
        const [left, up] = [at(i - 1, i > from), at(i - widthPx, from > 0)];
        const upLeft = at(i - widthPx - 1, i > from && from > 0);
        const predicted = filter === 0 ? 0 : filter === 2 ? up : paeth(left, up, upLeft);
        rows.push((at(i) - predicted) & 255);
      }
    }
  }
  return Buffer.from(rows);
};

const filterOf = (pixels: Int32Array, from: number, widthPx: number): 0 | 2 | 4 => {
  const places = Array.from({ length: widthPx }, (_, x) => from + x);
  const differing = places.filter((i) => pixels[i] !== pixels[i - widthPx]).length;
  if (differing * 10 < widthPx) return 2;
  const isNew = places.map((i, x) => {
    const neighbours = [i - 1, i - widthPx, i - widthPx - 1, i - widthPx + 1];
    return x > 0 && neighbours.every((other) => pixels[other] !== pixels[i]);
  });
  const runs =
    isNew
      .map((one) => (one ? 'n' : ' '))
      .join('')
      .match(/n{8,}/g) ?? [];
  return runs.join('').length * 100 > widthPx * 15 ? 4 : 0;
};
