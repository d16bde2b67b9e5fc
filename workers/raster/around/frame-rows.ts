/** A frame on its background, drawn by resvg once for all pictures of a size, as rows of differences. */
import { composeFrame } from '../../design/svg.ts';
import { getOrMake } from '../../kept.ts';
import type { Design, Surround } from '../../protocol.ts';
import type { Rows } from '../deflate/deflate-rows.ts';
import { type GlyphRow, rowAt } from '../deflate/glyph-rows.ts';
import { getLayer, type Patch } from '../kept-layers.ts';
import { type PixelColor, paintOver, pixelColor } from '../pixels.ts';
import { rasterise } from '../rasterise.ts';

/** What is behind the texts and the code. */
export interface FrameLayer {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Background, frame, and the colours of the frame's edges. */
  readonly colors: readonly PixelColor[];
  /** The place in `colors` of each pixel. */
  readonly places: Uint8Array;
}

/** The background and the frame have these places among the colours of a layer. */
export const BACKGROUND = 0;
export const FRAME = 1;

const layers = new WeakMap<Patch, FrameLayer>();

/** Returns the pixels of background and frame. They are kept within the bound of all layers. */
export const frameColors = (design: Design, around: Surround): Patch => {
  const svg = composeFrame(design, around);
  const [patch] = getLayer(`frame ${svg}`, () => {
    const { widthPx: width, heightPx: height, colors } = rasterise(svg);
    return [{ x: 0, y: 0, width, height, colors: colors.slice() }];
  });
  return patch!;
};

/** Returns what is behind a picture with a frame, over a background of one colour. */
export const frameLayerOf = (design: Design, around: Surround, background: PixelColor): FrameLayer => {
  const patch = frameColors(design, around);
  return getOrMake(layers, patch, () => {
    const frame = paintOver(pixelColor(around.frame!.color), 255, background);
    const known = new Map([[background, BACKGROUND]]);
    const colors = [background, frame];
    if (frame !== background) known.set(frame, FRAME);
    const places = new Uint8Array(patch.colors.length);
    for (let i = 0; i < places.length; i += 1) {
      const color = patch.colors[i]!;
      let place = known.get(color);
      if (place === undefined) {
        // There are at most 256: one for each coverage.
        place = colors.push(color) - 1;
        known.set(color, place);
      }
      places[i] = place;
    }
    return { widthPx: patch.width, heightPx: patch.height, colors, places };
  });
};

/** By row, what differs from the row above. Rows without differences are left out. */
type Edges = Rows['edges'];

const edges = new WeakMap<FrameLayer, Map<string, Edges>>();

/** Returns the differences between rows. @param indices The palette index of each colour; that of the background is 0. */
export const edgesOf = (layer: FrameLayer, indices: readonly number[]): Edges => {
  const known = getOrMake(edges, layer, () => new Map<string, Edges>());
  return getOrMake(known, indices.join(' '), () => {
    const { widthPx, heightPx, places } = layer;
    const rows: (readonly GlyphRow[] | undefined)[] = [];
    for (let y = 0; y < heightPx; y += 1) {
      const row = changesOf(layer, indices, places.subarray(y * widthPx, (y + 1) * widthPx), y);
      rows.push(row.length > 0 ? row : undefined);
    }
    return rows;
  });
};

const changesOf = (
  { widthPx, places }: FrameLayer,
  indices: readonly number[],
  row: Uint8Array,
  y: number,
): readonly GlyphRow[] => {
  const above = y === 0 ? new Uint8Array(widthPx) : places.subarray((y - 1) * widthPx, y * widthPx);
  const changes: GlyphRow[] = [];
  for (let x = 0; x < widthPx; x += 1) {
    if (row[x] === above[x]) continue;
    const bytes: number[] = [];
    const from = x;
    for (; x < widthPx && row[x] !== above[x]; x += 1) bytes.push(indices[row[x]!]! - indices[above[x]!]!);
    changes.push(rowAt(from, Uint8Array.from(bytes)));
  }
  return changes;
};

/** Returns the place of the colour that a box has, or `null` when it has several. */
export const placeOfBox = (
  { widthPx, places }: FrameLayer,
  { left, top, right, bottom }: Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>,
): number | null => {
  const place = places[top * widthPx + left]!;
  for (let y = top; y < bottom; y += 1) {
    const row = places.subarray(y * widthPx + left, y * widthPx + right);
    for (let x = 0; x < row.length; x += 1) if (row[x] !== place) return null;
  }
  return place;
};
