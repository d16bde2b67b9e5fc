import fc from 'fast-check';
import type { Test } from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import {
  CORNER_TYPES as CORNERS,
  type CornerType,
  DOT_TYPES as DOTS,
  type DotType,
  namesOf,
} from '../../../workers/lists.ts';
import type {
  Design,
  ErrorCorrectionLevel,
  Gradient,
  Paint,
  SymbolMode,
  SymbolRequest,
} from '../../../workers/protocol.ts';

/** The API's styles of dots. */
export const DOT_TYPES = namesOf(DOTS);
/** The API's styles of corners. */
export const CORNER_TYPES = namesOf(CORNERS);

/** The API's defaults. */
export const DEFAULT_DESIGN: Design = toDesign({});

/** Range of the colour channels; `to` is excluded. */
export interface Shades {
  readonly from: number;
  readonly to: number;
  /** Whether some of the colours are translucent. */
  readonly translucent: boolean;
}

const channel = (value: number): string => value.toString(16).padStart(2, '0');

function colors({ from, to, translucent }: Shades): fc.Arbitrary<string> {
  const shade = fc.integer({ min: from, max: to - 1 }).map(channel);
  const opaque = fc.tuple(shade, shade, shade).map((channels) => `#${channels.join('')}`);
  if (!translucent) return opaque;
  const alpha = fc.integer({ min: 0, max: 255 }).map(channel);
  return fc.oneof(
    { arbitrary: opaque, weight: 3 },
    fc.tuple(opaque, alpha).map(([rgb, a]) => rgb + a),
  );
}

function gradients(shades: Shades): fc.Arbitrary<Gradient> {
  const offset = fc.double({ min: 0, max: 1, noNaN: true });
  return fc.record({
    type: fc.constantFrom('linear', 'radial'),
    rotationRad: fc.double({ min: -7, max: 7, noNaN: true }),
    colorStops: fc.array(fc.record({ offset, color: colors(shades) }), { minLength: 1, maxLength: 4 }),
  });
}

/** A colour or a gradient of these shades. */
export const paints = (shades: Shades): fc.Arbitrary<Paint> => fc.oneof(colors(shades), gradients(shades));

const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const dotTypes = fc.constantFrom<DotType>(...DOT_TYPES);
const cornerTypes = orNull(fc.constantFrom<CornerType>(...CORNER_TYPES));

const symbolRequests: fc.Arbitrary<SymbolRequest> = fc
  .record({
    typeNumber: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, fc.integer({ min: 1, max: 40 })),
    mode: fc.constantFrom<SymbolMode | null>(null, null, null, 'Numeric', 'Alphanumeric', 'Byte', 'Kanji'),
    levels: fc.constantFrom<ErrorCorrectionLevel[]>(['Q', 'M', 'L'], ['M', 'L'], ['L'], ['M'], ['Q'], ['H']),
    extras: fc.record(
      { segments: fc.constant('optimal'), eci: fc.constant(true), boost: fc.constant(true) } as const,
      { requiredKeys: [] },
    ),
  })
  .map(({ extras: { segments, ...others }, ...request }) => ({
    ...request,
    ...others,
    // Requesting a mode together with optimal segments is refused.
    ...(segments === undefined || request.mode !== null ? {} : { segments }),
  }));

/** Generates any design that our request schema allows, small pictures more often than large ones. */
export const legalDesigns = (ink: Shades, page: Shades): fc.Arbitrary<Design> => {
  const lengthPx = fc.oneof(fc.integer({ min: 50, max: 600 }), fc.integer({ min: 50, max: 2000 }));
  return fc.record({
    widthPx: lengthPx,
    heightPx: lengthPx,
    marginPx: orNull(fc.integer({ min: 0, max: 100 })),
    shape: fc.constantFrom('square', 'circle'),
    symbol: symbolRequests,
    dots: fc.record({ type: dotTypes, paint: paints(ink), roundSize: fc.boolean() }),
    cornersSquare: fc.record({ type: cornerTypes, paint: orNull(paints(ink)) }),
    cornersDot: fc.record({ type: cornerTypes, paint: orNull(paints(ink)) }),
    background: fc.record({
      paint: paints(page),
      round: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    image: fc.record({
      size: fc.double({ min: 0, max: 1, noNaN: true }),
      marginPx: fc.integer({ min: 0, max: 20 }),
      hideBackgroundDots: fc.boolean(),
    }),
  });
};

/** All colours. */
export const ANY_SHADES: Shades = { from: 0, to: 256, translucent: true };

/**
 * Generates designs that readers must read: dark on light, a quiet zone, modules of several pixels, a small logo.
 */
export const readableDesigns = (): fc.Arbitrary<Design> =>
  legalDesigns({ from: 0, to: 90, translucent: false }, { from: 220, to: 256, translucent: false })
    .chain((design) =>
      fc
        .record({
          widthPx: fc.integer({ min: 240, max: 500 }),
          heightPx: fc.integer({ min: 240, max: 500 }),
          size: fc.double({ min: 0.1, max: 0.4, noNaN: true }),
          marginPx: fc.integer({ min: 0, max: 4 }),
        })
        .map(
          ({ widthPx, heightPx, ...image }): Design => ({
            ...design,
            widthPx,
            heightPx,
            marginPx: null,
            symbol: DEFAULT_DESIGN.symbol,
            image: { ...design.image, ...image },
          }),
        ),
    )
    .filter((design) => !hasBrokenFinders(design));

/** Readers miss finder patterns made of discs without anti-aliasing, also in the library's pictures. */
const hasBrokenFinders = ({ dots, cornersSquare, cornersDot }: Design): boolean =>
  !dots.roundSize && [cornersSquare, cornersDot].some((corner) => (corner.type ?? dots.type) === 'dots');

/** Checks a rule over many random values; a failure shows the smallest value found that breaks it. */
export function holds<T>(t: Test, rule: fc.IProperty<T>, numRuns = 200): void {
  t.doesNotThrow(() => fc.assert(rule, { numRuns }));
}
