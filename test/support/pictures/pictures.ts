import sharp from 'sharp';

/** Four bytes a pixel, with straight alpha. */
export interface Pixels {
  readonly rgba: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Decodes a PNG. */
export async function pixelsOf(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { rgba: data, widthPx: info.width, heightPx: info.height };
}

/** How far apart two pictures look. */
export interface Difference {
  /** Mean difference of all channels of all pixels, out of 255. */
  readonly mean: number;
  /** Share of pixels with a channel that is off by more than 40. */
  readonly farOff: number;
  /** The largest difference in a channel. */
  readonly most: number;
}

/** Returns how far two pictures of the same size look apart: the worse of the differences on white and on black. */
export function differenceOf(one: Pixels, other: Pixels): Difference {
  if (one.widthPx !== other.widthPx || one.heightPx !== other.heightPx) {
    return { mean: 255, farOff: 1, most: 255 };
  }
  if (Buffer.compare(one.rgba, other.rgba) === 0) return { mean: 0, farOff: 0, most: 0 };
  const [white, black] = [differenceOn(255, one.rgba, other.rgba), differenceOn(0, one.rgba, other.rgba)];
  return {
    mean: Math.max(white.mean, black.mean),
    farOff: Math.max(white.farOff, black.farOff),
    most: Math.max(white.most, black.most),
  };
}

function differenceOn(page: number, one: Uint8Array, other: Uint8Array): Difference {
  let [sum, far, most] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 4) {
    if (one[at] === other[at] && one[at + 1] === other[at + 1] && one[at + 2] === other[at + 2])
      if (one[at + 3] === other[at + 3]) continue;
    const [alphaOne, alphaOther] = [one[at + 3]! / 255, other[at + 3]! / 255];
    let worst = 0;
    for (let channel = at; channel < at + 3; channel++) {
      const seen = (one[channel]! - page) * alphaOne - (other[channel]! - page) * alphaOther;
      sum += Math.abs(seen);
      worst = Math.max(worst, Math.abs(seen));
    }
    if (worst > 40) far++;
    most = Math.max(most, worst);
  }
  const pixels = one.length / 4;
  return { mean: sum / (3 * pixels), farOff: far / pixels, most };
}
