/** Texts at their places, and palettes in which the steps of a text follow the colour that is behind it. */
import { LRUCache } from 'lru-cache';
import { getOrMake } from '../../kept.ts';
import type { Design, Surround } from '../../protocol.ts';
import type { FigureLine } from '../deflate/deflate-rows.ts';
import type { SolidColors } from '../lane.ts';
import { type PixelColor, paintOver, paletteOf, pixelColor } from '../pixels.ts';
import { BACKGROUND, FRAME, type FrameLayer, placeOfBox } from './frame-rows.ts';
import { COVERAGE_STEPS, coverageOf, figureLines } from './letters.ts';

/** A palette holds as many colours. */
export const MAX_COLORS = 256;
const TOO_MANY_COLORS = 'too many colours';

/** The canvas of a picture with what stands around it. */
export type Canvas = Readonly<Record<'widthPx' | 'heightPx', number>>;

/** Returns the canvas of a design with what stands around it. */
export const canvasOf = (design: Design, { leftPx, topPx, rightPx, bottomPx }: Surround): Canvas => ({
  widthPx: design.widthPx + leftPx + rightPx,
  heightPx: design.heightPx + topPx + bottomPx,
});

/** A block of text as figures on the canvas. */
export interface PlacedText {
  readonly color: PixelColor;
  readonly lines: readonly FigureLine[];
}

/** Returns the texts; `null` when one of them has letters that are not kept, or reaches out of the canvas. */
export const placeTexts = (
  { texts, leftPx, topPx }: Surround,
  { widthPx, heightPx }: Canvas,
): readonly PlacedText[] | null => {
  const placed: PlacedText[] = [];
  for (const text of texts) {
    const lines = figureLines(text, leftPx, topPx);
    const isInside = lines?.every((line) => {
      const { left, top, right, bottom } = boxOf(line);
      return left >= 0 && top >= 0 && right <= widthPx && bottom <= heightPx;
    });
    if (lines === null || !isInside) return null;
    if (lines.length > 0) placed.push({ color: pixelColor(text.color), lines });
  }
  return placed;
};

/** Returns the colours of a text from none of it to all of it. */
export const rampOf = (color: PixelColor, ground: PixelColor): readonly PixelColor[] =>
  Array.from({ length: COVERAGE_STEPS + 1 }, (_, step) => paintOver(color, coverageOf(step), ground));

/** Returns the box of the pixels that a line may change. */
export const boxOf = ({ topPx, bottomPx, figures }: FigureLine) => {
  const last = figures.at(-1)!;
  return {
    left: figures[0]!.xPx,
    top: topPx,
    right: last.xPx + last.widthPx,
    // The last row only returns to what is behind the letters.
    bottom: bottomPx - 1,
  };
};

/** Returns the colour of the texts on one ground; `null`: there are none, or 'several'. */
export const colorOn = (texts: readonly PlacedText[]): PixelColor | null | 'several' => {
  const [first, ...others] = new Set(texts.map(({ color }) => color));
  return others.length > 0 ? 'several' : (first ?? null);
};

/** Returns the colours of texts by what is behind them; `null` when a text lies on something else. */
const colorsByGround = (texts: readonly PlacedText[], layer: FrameLayer | null) => {
  const onBackground: PlacedText[] = [];
  const onFrame: PlacedText[] = [];
  for (const text of texts) {
    const places = text.lines.map((line) => (layer === null ? BACKGROUND : placeOfBox(layer, boxOf(line))));
    if (places.every((place) => place === BACKGROUND)) onBackground.push(text);
    else if (places.every((place) => place === FRAME)) onFrame.push(text);
    else return null;
  }
  return { background: colorOn(onBackground), frame: colorOn(onFrame) };
};

/** A palette in which the steps of a text follow the colour that is behind it. */
export interface Palette {
  /** Straight RGBA. */
  readonly bytes: Uint8Array;
  /** Of the colours of the frame's layer, and of the parts of a symbol. */
  readonly frame: readonly number[];
  readonly parts: readonly number[];
}

const NO_LAYER = {};
/** Palettes of at most 1 kB by the layer that they have the colours of, and by all other colours. */
const palettes = new WeakMap<object, LRUCache<string, Palette | typeof TOO_MANY_COLORS>>();
const MAX_PALETTES = 256;

/** Returns `null` when there are too many colours, or texts of several colours on one ground. */
export const paletteFor = (
  texts: readonly PlacedText[],
  layer: FrameLayer | null,
  solidColors: SolidColors,
): Palette | null => {
  const grounds = colorsByGround(texts, layer);
  if (grounds === null || grounds.background === 'several' || grounds.frame === 'several') return null;
  const { background, dots, ring, centre } = solidColors;
  const key = `${background} ${dots} ${ring} ${centre} ${grounds.background} ${grounds.frame}`;
  const ofLayer = getOrMake(palettes, layer ?? NO_LAYER, () => new LRUCache({ max: MAX_PALETTES }));
  const palette = getOrMake(ofLayer, key, () =>
    makePalette(
      grounds.background as PixelColor | null,
      grounds.frame as PixelColor | null,
      layer,
      solidColors,
    ),
  );
  return palette === TOO_MANY_COLORS ? null : palette;
};

/** @param onBackground The colour of texts on the background. @param onFrame That of those on the frame. */
const makePalette = (
  onBackground: PixelColor | null,
  onFrame: PixelColor | null,
  layer: FrameLayer | null,
  { background, dots, ring, centre }: SolidColors,
): Palette | typeof TOO_MANY_COLORS => {
  const colors: PixelColor[] = [];
  const add = (...more: readonly PixelColor[]): number => colors.push(...more) - more.length;
  const ground = (color: PixelColor, text: PixelColor | null): number =>
    text === null ? add(color) : add(...rampOf(text, color));
  const frame = [ground(background, onBackground)];
  if (layer !== null) {
    frame.push(ground(layer.colors[FRAME]!, onFrame));
    for (const color of layer.colors.slice(FRAME + 1)) frame.push(add(color));
  }
  const parts = [dots, ring, centre].map((part) => {
    const color = paintOver(part, 255, background);
    const known = colors.indexOf(color);
    return known === -1 ? add(color) : known;
  });
  if (colors.length > MAX_COLORS) return TOO_MANY_COLORS;
  return { bytes: paletteOf(colors), frame, parts: [0, ...parts] };
};
