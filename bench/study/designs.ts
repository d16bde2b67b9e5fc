/** Random designs, the same for the same seed. */
import sharp from 'sharp';
import { CORNER_TYPES, type CornerType, DOT_TYPES, namesOf } from '../../workers/lists.ts';
import type {
  Design,
  ErrorCorrectionLevel,
  Gradient,
  HexColor,
  Logo,
  Paint,
} from '../../workers/protocol.ts';
import { createRandom } from '../random.ts';

/** A picture to draw, and the kind of its logo. */
export interface Specimen {
  readonly text: string;
  readonly design: Design;
  readonly logo: LogoKind | null;
}

/** A logo that `logoOf` draws. */
export interface LogoKind {
  readonly kind: 'dark' | 'light' | 'tick' | 'letters' | 'stripes';
  readonly widthPx: number;
  readonly heightPx: number;
}

const DOTS = namesOf(DOT_TYPES);
const SAFE_CORNERS: readonly CornerType[] = ['square', 'square', 'rounded', 'classy'];
const CORNERS = namesOf(CORNER_TYPES);
const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];
const LOGOS: readonly LogoKind['kind'][] = ['dark', 'light', 'tick', 'letters', 'stripes'];

/** Returns `count` designs. Different seeds give different designs. */
export function specimens(seed: number, count: number): readonly Specimen[] {
  const random = createRandom(seed);
  for (let i = 0; i < 10; i += 1) random();
  return Array.from({ length: count }, () => specimen(random));
}

type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const within = (random: Random, from: number, to: number): number => from + random() * (to - from);
const integer = (random: Random, from: number, to: number): number =>
  Math.floor(within(random, from, to + 1));
/** Makes a weighted random choice. The weights are shares; the last option gets the remainder. */
const weighted = <T>(random: Random, choices: readonly (readonly [number, () => T])[]): T => {
  let left = random();
  for (const [share, make] of choices) {
    if (left < share) return make();
    left -= share;
  }
  return choices.at(-1)![1]();
};

/** Half of the designs are good in most respects, since defects would otherwise mask one another. */
function specimen(random: Random): Specimen {
  const care = random() < 0.5 ? 0.85 : 0;
  const careful = <T>(safe: () => T, any: () => T): T => (random() < care ? safe() : any());
  const sizePx = careful(
    () => integer(random, 230, 460),
    () => integer(random, 120, 460),
  );
  const hasLogo = random() < 0.3;
  const type = pick(random, DOTS);
  const ownCorner = (): CornerType =>
    careful<CornerType>(
      () => pick(random, SAFE_CORNERS),
      () => pick(random, CORNERS),
    );
  const ownPaint = () =>
    careful(
      () => null,
      () => (random() < 0.7 ? null : inkOf(random)),
    );
  const dots = careful<Paint>(
    () => shade(random, 0, 70),
    () => inkOf(random),
  );
  const design: Design = {
    widthPx: sizePx,
    heightPx: random() < 0.8 ? sizePx : Math.round(sizePx * within(random, 1, 1.4)),
    marginPx: careful<number | null>(
      () => null,
      () =>
        weighted<number | null>(random, [
          [0.5, () => null],
          [0.25, () => 0],
          [1, () => integer(random, 1, 30)],
        ]),
    ),
    shape: random() < 0.1 ? 'circle' : 'square',
    symbol: { typeNumber: 0, mode: null, levels: [pick(random, LEVELS)] },
    dots: { type, paint: dots, roundSize: random() > 0.1 },
    cornersSquare: { type: ownCorner(), paint: ownPaint() },
    cornersDot: { type: ownCorner(), paint: ownPaint() },
    background: {
      paint: careful<Paint>(
        () => '#ffffff',
        () => groundOf(random),
      ),
      round: careful(
        () => 0,
        () => (random() < 0.8 ? 0 : random()),
      ),
    },
    image: {
      size: careful(
        () => within(random, 0.1, 0.5),
        () => within(random, 0.1, 1),
      ),
      marginPx: random() < 0.6 ? 0 : integer(random, 0, 4),
      hideBackgroundDots: random() < 0.75,
    },
  };
  const inverts = random() < 0.03;
  return {
    text: textOf(random),
    design: inverts ? inverted(design) : design,
    logo: hasLogo ? logoKindOf(random) : null,
  };
}

function textOf(random: Random): string {
  const length = weighted(random, [
    [0.7, () => integer(random, 1, 30)],
    [0.25, () => integer(random, 30, 100)],
    [1, () => integer(random, 100, 300)],
  ]);
  let text = 'https://example.com/';
  while (text.length < 20 + length) text += 'abcdefghijklmnopqrstuvwxyz0123456789-_/'[integer(random, 0, 38)];
  return text;
}

const hex = (channels: readonly number[]): HexColor =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
const shade = (random: Random, from: number, to: number): HexColor =>
  hex([within(random, from, to), within(random, from, to), within(random, from, to)]);

function colorOf(random: Random): HexColor {
  return weighted(random, [
    [0.45, () => '#000000'],
    [0.25, () => shade(random, 0, 110)],
    [0.15, () => shade(random, 0, 255)],
    [0.06, () => pick(random, ['#ff0000', '#e5484d', '#ff8800', '#00aa00', '#0000ff', '#b83280', '#ffd400'])],
    [1, () => shade(random, 120, 235)],
  ]);
}

const inkOf = (random: Random): Paint => (random() < 0.8 ? colorOf(random) : gradientOf(random, colorOf));

function groundOf(random: Random): Paint {
  return weighted<Paint>(random, [
    [0.66, () => '#ffffff'],
    [0.06, () => '#ffffff00'],
    [0.14, () => shade(random, 200, 255)],
    [0.08, () => shade(random, 90, 255)],
    [1, () => gradientOf(random, (again) => shade(again, 190, 255))],
  ]);
}

function gradientOf(random: Random, color: (random: Random) => HexColor): Gradient {
  return {
    type: random() < 0.6 ? 'linear' : 'radial',
    rotationRad: within(random, 0, 6.28),
    colorStops: [
      { offset: 0, color: color(random) },
      { offset: 1, color: color(random) },
    ],
  };
}

/** Returns the same design, light on dark. */
const inverted = (design: Design): Design => ({
  ...design,
  dots: { ...design.dots, paint: '#ffffff' },
  cornersSquare: { ...design.cornersSquare, paint: null },
  cornersDot: { ...design.cornersDot, paint: null },
  background: { ...design.background, paint: '#101418' },
});

function logoKindOf(random: Random): LogoKind {
  const [widthPx, heightPx] = pick(random, [
    [120, 120],
    [120, 120],
    [200, 100],
    [100, 200],
  ] as const);
  return { kind: pick(random, LOGOS), widthPx, heightPx };
}

const known = new Map<string, Promise<Logo>>();

/** Draws a logo. */
export function logoOf(kind: LogoKind): Promise<Logo> {
  const key = JSON.stringify(kind);
  const drawn = known.get(key) ?? drawLogo(kind);
  known.set(key, drawn);
  return drawn;
}

async function drawLogo({ kind, widthPx, heightPx }: LogoKind): Promise<Logo> {
  const shapes: Readonly<Record<LogoKind['kind'], string>> = {
    dark: '<rect width="100" height="100" fill="#203040"/>',
    light: '<rect width="100" height="100" rx="20" fill="#f4e8c8"/>',
    tick: '<circle cx="50" cy="50" r="49" fill="#e5484d"/><path d="M28 52l16 16 30-34" fill="none" stroke="#fff" stroke-width="10"/>',
    letters:
      '<path d="M10 90L40 10L70 90M22 60h36M75 10v80h15" fill="none" stroke="#0a3d91" stroke-width="12"/>',
    stripes:
      '<path d="M0 0h20v100h-20zM40 0h20v100h-20zM80 0h20v100h-20z" fill="#111"/><path d="M20 0h20v100h-20zM60 0h20v100h-20z" fill="#fff"/>',
  };
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 100 100" preserveAspectRatio="none"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes[kind]}</svg>`;
  return { png: new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer()), widthPx, heightPx };
}
