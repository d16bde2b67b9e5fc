/** A measurement of one case; its name, text length and width are those of the `Case`. */
export interface Figure {
  readonly name: string;
  readonly textLength: number;
  readonly widthPx: number;
  /** Median processor time of one run. */
  readonly cpuMs: number;
  /** Size of the picture; 0 for a symbol alone. */
  readonly bytes: number;
}

interface Target {
  readonly what: string;
  readonly ours: string;
  readonly theirs: string;
  readonly widthPx: number;
  readonly of: 'cpuMs' | 'bytes';
  /** `theirs` must be at least this many times `ours`. */
  readonly atLeast: number;
}

/** A target beside the ratio that was measured. */
export interface Verdict {
  readonly what: string;
  readonly ratio: number;
  readonly atLeast: number;
  readonly isMet: boolean;
}

/** The text length for which the targets are set. */
export const TARGET_TEXT_LENGTH = 60;

const TARGETS: readonly Target[] = [
  {
    what: 'symbol: faster than QRCode.create',
    ours: 'symbol',
    theirs: 'QRCode.create',
    widthPx: 0,
    of: 'cpuMs',
    atLeast: 12,
  },
  {
    what: 'plain 300 px: faster than qrcode.toBuffer',
    ours: 'plain',
    theirs: 'qrcode.toBuffer',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 40,
  },
  {
    what: 'plain 2000 px: faster than qrcode.toBuffer',
    ours: 'plain',
    theirs: 'qrcode.toBuffer',
    widthPx: 2000,
    of: 'cpuMs',
    atLeast: 500,
  },
  {
    what: 'plain 300 px: faster than by reference',
    ours: 'plain',
    theirs: 'plain, by reference',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 8,
  },
  {
    what: 'stamped 300 px: faster than by reference',
    ours: 'stamped',
    theirs: 'stamped, by reference',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 5,
  },
  {
    what: 'stamped 1000 px: faster than by reference',
    ours: 'stamped',
    theirs: 'stamped, by reference',
    widthPx: 1000,
    of: 'cpuMs',
    atLeast: 8,
  },
  {
    what: 'gradient 300 px: of the time of resvg alone, text to PNG',
    ours: 'gradient',
    theirs: 'gradient, resvg alone',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 1 / 1.2,
  },
  {
    what: 'logo 300 px: faster than by reference',
    ours: 'logo',
    theirs: 'logo, by reference',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 4.4,
  },
  {
    what: 'gradient 300 px: faster than by reference',
    ours: 'gradient',
    theirs: 'gradient, by reference',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 3.6,
  },
  {
    what: 'gradient, logo 300 px: faster than by reference',
    ours: 'gradient, logo',
    theirs: 'gradient, logo, by reference',
    widthPx: 300,
    of: 'cpuMs',
    atLeast: 4.4,
  },
  {
    what: 'gradient, logo 1000 px: faster than by reference',
    ours: 'gradient, logo',
    theirs: 'gradient, logo, by reference',
    widthPx: 1000,
    of: 'cpuMs',
    atLeast: 4,
  },
  {
    what: 'plain 300 px: smaller than qrcode.toBuffer',
    ours: 'plain',
    theirs: 'qrcode.toBuffer',
    widthPx: 300,
    of: 'bytes',
    atLeast: 2,
  },
];

/** Compares the figures of one run with the targets. The figures must include `TARGET_TEXT_LENGTH`. */
export function judge(figures: readonly Figure[]): readonly Verdict[] {
  return TARGETS.map(({ what, ours, theirs, widthPx, of, atLeast }) => {
    const figureOf = (name: string): number =>
      figures.find(
        (figure) =>
          figure.name === name && figure.widthPx === widthPx && figure.textLength === TARGET_TEXT_LENGTH,
      )![of];
    const ratio = figureOf(theirs) / figureOf(ours);
    return { what, ratio, atLeast, isMet: ratio >= atLeast };
  });
}
