import type { HexColor } from '../protocol.ts';
import { blendOver, mixColors, type Rgba, rgbaOf } from './colors.ts';
import type { Frame, Scene, Shape } from './scene.ts';
import { colorAt, isGradient, placeAt, type Shading, type Stretch, shadingOf } from './shading.ts';

/** An opaque colour, an opaque gradient, or any opaque colour at each point. Coordinates are those of a frame. */
export type Opaque =
  | { readonly kind: 'color'; readonly color: Rgba }
  | { readonly kind: 'shading'; readonly shading: Shading }
  | { readonly kind: 'field'; readonly colorAt: (x: number, y: number) => Rgba };

/** A shape with an opaque fill, drawn only inside of another shape where `within` names one. */
export interface OpaqueShape {
  readonly shape: Shape;
  readonly fill: Opaque;
  readonly within: Shape | null;
}

/** Pieces of a stretch whose colour and alpha both change, so that it is not linear over another colour. */
const PIECES = 16;

/**
 * Returns the shapes of a scene without transparency: each is blended over the background and the paper. A translucent
 * gradient over another gradient becomes a field of colours; no other result does.
 */
export const flatten = (scene: Scene, paper: HexColor): readonly OpaqueShape[] => {
  const { background, shapes } = scene;
  const onPaper: Opaque = { kind: 'color', color: rgbaOf(paper) };
  const alone = (shape: Shape): OpaqueShape => ({
    shape,
    within: null,
    fill: compose(fillOf(shape, shape.frame), onPaper),
  });
  if (background === null) return shapes.map(alone);

  // The background may have round corners, over which the symbol may extend. What shows there is drawn below the
  // background: on top of it, antialiased edges of that colour would remain around the shape.
  const beyond = shapes.filter((shape) => !isOpaque(fillOf(shape, shape.frame))).map(alone);
  const onBackground = shapes.map((shape): OpaqueShape => {
    const fill = fillOf(shape, shape.frame);
    if (isOpaque(fill)) return { shape, fill, within: null };
    return { shape, fill: compose(fill, underSymbol(scene, paper, shape.frame)), within: background };
  });
  return [
    ...beyond,
    { shape: background, fill: underSymbol(scene, paper, background.frame), within: null },
    ...onBackground,
  ];
};

/** Returns what lies under the symbol: the background over the paper, or the paper alone. */
export const underSymbol = ({ background }: Scene, paper: HexColor, frame: Frame): Opaque => {
  const onPaper: Opaque = { kind: 'color', color: rgbaOf(paper) };
  return background === null ? onPaper : compose(fillOf(background, frame), onPaper);
};

const fillOf = (shape: Shape, frame: Frame): Opaque =>
  isGradient(shape)
    ? { kind: 'shading', shading: shadingOf(shape, frame) }
    : { kind: 'color', color: rgbaOf(shape.paint as string) };

const isOpaque = (fill: Opaque): boolean => {
  if (fill.kind === 'color') return fill.color.alpha === 1;
  const areOpaque = ({ colors }: Stretch): boolean => colors.every(({ alpha }) => alpha === 1);
  return fill.kind === 'shading' && fill.shading.stretches.every(areOpaque);
};

/** Returns the colour of a fill at a point. */
export const colorOf = (fill: Opaque, x: number, y: number): Rgba => {
  if (fill.kind === 'color') return fill.color;
  if (fill.kind === 'field') return fill.colorAt(x, y);
  return colorAt(fill.shading, placeAt(fill.shading, x, y));
};

/** Returns a fill blended over an opaque one. */
const compose = (top: Opaque, below: Opaque): Opaque => {
  if (isOpaque(top)) return top;
  if (below.kind === 'color') {
    const onto = (color: Rgba): Rgba => blendOver(color, below.color);
    if (top.kind === 'color') return { kind: 'color', color: onto(top.color) };
    if (top.kind === 'shading') return withColors(top.shading, onto);
  }
  if (top.kind === 'color' && below.kind === 'shading') {
    return withColors(below.shading, (color) => blendOver(top.color, color));
  }
  return { kind: 'field', colorAt: (x, y) => blendOver(colorOf(top, x, y), colorOf(below, x, y)) };
};

const withColors = (shading: Shading, map: (color: Rgba) => Rgba): Opaque => ({
  kind: 'shading',
  shading: {
    ...shading,
    stretches: shading.stretches
      .flatMap(evenOverColor)
      .map(({ from, to, colors: [first, last] }) => ({ from, to, colors: [map(first), map(last)] })),
  },
});

const evenOverColor = (stretch: Stretch): readonly Stretch[] => {
  const { from, to, colors } = stretch;
  if (colors[0].alpha === colors[1].alpha) return [stretch];
  // Exact at both ends, where the neighbours begin: no place lies between two stretches.
  const place = (share: number): number => (1 - share) * from + share * to;
  return Array.from({ length: PIECES }, (_, piece) => {
    const [first, last] = [piece / PIECES, (piece + 1) / PIECES];
    const pieceColors = [mixColors(...colors, first), mixColors(...colors, last)] as const;
    return { from: place(first), to: place(last), colors: pieceColors };
  });
};
