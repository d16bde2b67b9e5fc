/** Random designs, the same for the same seed. */
import sharp from 'sharp';
import { createRandom } from '../../bench/stats.ts';
import { CORNER_TYPES, type CornerType, DOT_TYPES, namesOf } from '../../workers/lists.ts';
import type {
  Design,
  ErrorCorrectionLevel,
  Gradient,
  HexColor,
  Logo,
  Paint,
} from '../../workers/protocol.ts';

/** A picture to draw, and the kind of its logo. */
export interface Specimen {
  readonly text: string;
  readonly design: Design;
  readonly logo: LogoKind | null;
}

/** A logo that `logoOf` draws. */
export interface LogoKind {
  readonly kind: keyof typeof SHAPES;
  readonly widthPx: number;
  readonly heightPx: number;
}

const SHAPES = {
  dark: '<rect width="100" height="100" fill="#203040"/>',
  light: '<rect width="100" height="100" rx="20" fill="#f4e8c8"/>',
  tick: '<circle cx="50" cy="50" r="49" fill="#e5484d"/><path d="M28 52l16 16 30-34" fill="none" stroke="#fff" stroke-width="10"/>',
  letters:
    '<path d="M10 90L40 10L70 90M22 60h36M75 10v80h15" fill="none" stroke="#0a3d91" stroke-width="12"/>',
  stripes:
    '<path d="M0 0h20v100h-20zM40 0h20v100h-20zM80 0h20v100h-20z" fill="#111"/><path d="M20 0h20v100h-20zM60 0h20v100h-20z" fill="#fff"/>',
};

const DOTS = namesOf(DOT_TYPES);
const SAFE_CORNERS: readonly CornerType[] = ['square', 'square', 'rounded', 'classy'];
const CORNERS = namesOf(CORNER_TYPES);
const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];
const LOGOS = Object.keys(SHAPES) as LogoKind['kind'][];
const LOGO_SIZES = [
  [120, 120],
  [120, 120],
  [200, 100],
  [100, 200],
] as const; // prettier
const BRANDS: readonly HexColor[] = [
  ...(['#ff0000', '#e5484d', '#ff8800', '#00aa00', '#0000ff', '#b83280', '#ffd400'] as const),
];
const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789-_/';

/** Returns the same design, light on dark. */
const inverted = (design: Design): Design => ({
  ...design,
  dots: { ...design.dots, paint: '#ffffff' },
  cornersSquare: { ...design.cornersSquare, paint: null },
  cornersDot: { ...design.cornersDot, paint: null },
  background: { ...design.background, paint: '#101418' },
});

/** Returns a function that makes one specimen after the other. */
const createSpecimens = (random: () => number): (() => Specimen) => {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const within = (from: number, to: number): number => from + random() * (to - from);
  const integer = (from: number, to: number): number => Math.floor(within(from, to + 1));
  /** Makes a weighted random choice. The weights are shares; the last option gets the remainder. */
  const weighted = <T>(...choices: readonly (readonly [number, () => T])[]): T => {
    let left = random();
    for (const [share, make] of choices) {
      if (left < share) return make();
      left -= share;
    }
    return choices.at(-1)![1]();
  };
  const shade = (from: number, to: number): HexColor =>
    `#${[0, 0, 0].map(() => Math.round(within(from, to)).toString(16).padStart(2, '0')).join('')}`;
  const color = (): HexColor =>
    weighted<HexColor>(
      [0.45, () => '#000000'],
      [0.25, () => shade(0, 110)],
      [0.15, () => shade(0, 255)],
      [0.06, () => pick(BRANDS)],
      [1, () => shade(120, 235)],
    );
  const gradient = (colorOf: () => HexColor): Gradient => ({
    type: random() < 0.6 ? 'linear' : 'radial',
    rotationRad: within(0, 6.28),
    colorStops: [
      { offset: 0, color: colorOf() },
      { offset: 1, color: colorOf() },
    ],
  });
  const ink = (): Paint => (random() < 0.8 ? color() : gradient(color));
  const ground = (): Paint =>
    weighted<Paint>(
      [0.66, () => '#ffffff'],
      [0.06, () => '#ffffff00'],
      [0.14, () => shade(200, 255)],
      [0.08, () => shade(90, 255)],
      [1, () => gradient(() => shade(190, 255))],
    );
  const content = (): string => {
    const length = weighted(
      [0.7, () => integer(1, 30)],
      [0.25, () => integer(30, 100)],
      [1, () => integer(100, 300)],
    );
    return `https://example.com/${Array.from({ length }, () => SIGNS[integer(0, 38)]).join('')}`;
  };
  const logo = (): LogoKind => {
    const [widthPx, heightPx] = pick(LOGO_SIZES);
    return { kind: pick(LOGOS), widthPx, heightPx };
  };
  return () => {
    // Half of the designs are good in most respects, since defects would otherwise mask one another.
    const care = random() < 0.5 ? 0.85 : 0;
    const isSafe = (): boolean => random() < care;
    const sizePx = integer(isSafe() ? 230 : 120, 460);
    const hasLogo = random() < 0.3;
    const type = pick(DOTS);
    const corner = () => ({
      type: pick(isSafe() ? SAFE_CORNERS : CORNERS),
      paint: isSafe() || random() < 0.7 ? null : ink(),
    });
    const paint = isSafe() ? shade(0, 70) : ink();
    const margin = () =>
      weighted<number | null>([0.5, () => null], [0.25, () => 0], [1, () => integer(1, 30)]);
    const design: Design = {
      widthPx: sizePx,
      heightPx: random() < 0.8 ? sizePx : Math.round(sizePx * within(1, 1.4)),
      marginPx: isSafe() ? null : margin(),
      shape: random() < 0.1 ? 'circle' : 'square',
      symbol: { typeNumber: 0, mode: null, levels: [pick(LEVELS)] },
      dots: { type, paint, roundSize: random() > 0.1 },
      cornersSquare: corner(),
      cornersDot: corner(),
      background: {
        paint: isSafe() ? '#ffffff' : ground(),
        round: isSafe() || random() < 0.8 ? 0 : random(),
      },
      image: {
        size: within(0.1, isSafe() ? 0.5 : 1),
        marginPx: random() < 0.6 ? 0 : integer(0, 4),
        hideBackgroundDots: random() < 0.75,
      },
    };
    const inverts = random() < 0.03;
    const text = content();
    return { text, design: inverts ? inverted(design) : design, logo: hasLogo ? logo() : null };
  };
};

/** Returns `count` designs. Different seeds give different designs. */
export const specimens = (seed: number, count: number): readonly Specimen[] => {
  const random = createRandom(seed);
  for (let i = 0; i < 10; i += 1) random();
  return Array.from({ length: count }, createSpecimens(random));
};

const known = new Map<string, Promise<Logo>>();

const drawLogo = async ({ kind, widthPx, heightPx }: LogoKind): Promise<Logo> => {
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 100 100" preserveAspectRatio="none"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${SHAPES[kind]}</svg>`;
  return { png: new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer()), widthPx, heightPx };
};

/** Draws a logo. */
export const logoOf = (kind: LogoKind): Promise<Logo> => {
  const key = JSON.stringify(kind);
  const drawn = known.get(key) ?? drawLogo(kind);
  known.set(key, drawn);
  return drawn;
};
