import type { FieldSamples } from './field.ts';

/** The light of a picture in one channel. */
export interface Tones {
  /** 99th less 1st percentile of all modules: the symbol contrast of ISO/IEC 15415. */
  readonly contrast: number;
  /** 1: the ground is paper, 0: as near to ink as to paper. */
  readonly ground: number;
  readonly isInverted: boolean;
}

/** Returns the tones of a picture's modules. */
export function tonesOf({ dark, light }: FieldSamples): Tones {
  const all = new Float64Array(dark.length + light.length);
  all.set(dark);
  all.set(light, dark.length);
  all.sort();
  const [least, most] = [quantile(all, 0.01), quantile(all, 0.99)];
  const [darkMedian, lightMedian] = [medianOf(dark), medianOf(light)];
  const isInverted = lightMedian < darkMedian;
  const [ink, paper] = isInverted ? [1 - darkMedian, 1 - lightMedian] : [darkMedian, lightMedian];
  return {
    contrast: most - least,
    ground: ink >= 1 ? 0 : (2 * paper - ink - 1) / (1 - ink),
    isInverted,
  };
}

const medianOf = (values: Float64Array): number => quantile(Float64Array.from(values).sort(), 0.5);

/** Returns the value at a share of ordered values, by the nearest rank. */
const quantile = (ordered: Float64Array, share: number): number =>
  ordered[Math.round(share * (ordered.length - 1))]!;
