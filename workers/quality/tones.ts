import type { FieldSamples } from './field.ts';

/** The light of a picture in one channel. */
export interface Tones {
  /** 99th less 1st percentile of all modules: the symbol contrast of ISO/IEC 15415. */
  readonly contrast: number;
  /** Their middle: the global threshold. */
  readonly threshold: number;
  /** 1: the ground is paper, 0: as near to ink as to paper. */
  readonly ground: number;
  readonly isInverted: boolean;
}

/** Returns the tones of a picture's modules. */
export function tonesOf({ dark, light }: FieldSamples): Tones {
  const isInverted = quantile(light, 0.5) < quantile(dark, 0.5);
  const all = Float64Array.of(...dark, ...light);
  const [least, most] = [quantile(all, 0.01), quantile(all, 0.99)];
  const [ink, paper] = isInverted
    ? [1 - quantile(dark, 0.5), 1 - quantile(light, 0.5)]
    : [quantile(dark, 0.5), quantile(light, 0.5)];
  return {
    contrast: most - least,
    threshold: (most + least) / 2,
    ground: ink >= 1 ? 0 : (2 * paper - ink - 1) / (1 - ink),
    isInverted,
  };
}

/** The value at a share of the ordered values, the nearest rank. */
function quantile(values: Float64Array, share: number): number {
  const ordered = Float64Array.from(values).sort();
  return ordered[Math.round(share * (ordered.length - 1))]!;
}
