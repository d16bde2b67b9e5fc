import type { Luma } from './luma.ts';

const WEIGHT_BITS = 16;
const HALF = 1 << (WEIGHT_BITS - 1);
/**
 * Pixels on each side that count: three standard deviations of the widest blur, 1.2 px. All those beyond add less than
 * half a level.
 */
const RADIUS = 3;

/** The weights from the middle outwards, in parts of 2 ** `WEIGHT_BITS`. */
const weightsOf = (sigmaPx: number): readonly [number, number, number, number] => {
  const exact = Array.from({ length: RADIUS + 1 }, (_, i) => Math.exp(-(i ** 2) / (2 * sigmaPx ** 2)));
  const total = exact.reduce((sum, weight) => sum + 2 * weight, -exact[0]!);
  const [, one, two, three] = exact.map((weight) => Math.round((weight / total) * 2 ** WEIGHT_BITS));
  return [2 ** WEIGHT_BITS - 2 * (one! + two! + three!), one!, two!, three!];
};

type Weights = ReturnType<typeof weightsOf>;

/** Writes a row, blurred by those above and below it, to the middle of `line`. */
function blurDown({ data, widthPx, heightPx }: Luma, y: number, weights: Weights, line: Uint8Array): void {
  const [w0, w1, w2, w3] = weights;
  const startOf = (row: number): number => Math.min(Math.max(row, 0), heightPx - 1) * widthPx;
  const [a3, a2, a1] = [startOf(y - 3), startOf(y - 2), startOf(y - 1)];
  const [b1, b2, b3] = [startOf(y + 1), startOf(y + 2), startOf(y + 3)];
  const middle = y * widthPx;
  for (let x = 0; x < widthPx; x += 1) {
    const sum =
      Math.imul(w0, data[middle + x]!) +
      Math.imul(w1, data[a1 + x]! + data[b1 + x]!) +
      Math.imul(w2, data[a2 + x]! + data[b2 + x]!) +
      Math.imul(w3, data[a3 + x]! + data[b3 + x]!);
    line[x + RADIUS] = (sum + HALF) >> WEIGHT_BITS;
  }
}

function blurAcross(line: Uint8Array, weights: Weights, to: Uint8Array): void {
  const [w0, w1, w2, w3] = weights;
  for (let x = 0; x < to.length; x += 1) {
    const sum =
      Math.imul(w0, line[x + 3]!) +
      Math.imul(w1, line[x + 2]! + line[x + 4]!) +
      Math.imul(w2, line[x + 1]! + line[x + 5]!) +
      Math.imul(w3, line[x]! + line[x + 6]!);
    to[x] = (sum + HALF) >> WEIGHT_BITS;
  }
}

/** Returns the picture blurred by a Gaussian with this standard deviation. Its edge pixels repeat beyond the edges. */
export function blur(picture: Luma, sigmaPx: number): Luma {
  const { data, widthPx, heightPx } = picture;
  const weights = weightsOf(sigmaPx);
  const blurred = new Uint8Array(data.length);
  const line = new Uint8Array(widthPx + 2 * RADIUS);
  for (let y = 0; y < heightPx; y += 1) {
    blurDown(picture, y, weights, line);
    line.fill(line[RADIUS]!, 0, RADIUS);
    line.fill(line[widthPx + RADIUS - 1]!, widthPx + RADIUS);
    blurAcross(line, weights, blurred.subarray(y * widthPx, (y + 1) * widthPx));
  }
  return { widthPx, heightPx, data: blurred };
}
