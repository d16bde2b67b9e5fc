/** Lays out what stands around a code: its GS1 text, a caption and a frame. Nothing of it reaches into the quiet zone. Pure. */
import { FRAME_TYPES } from '../lists.ts';
import {
  type CaptionSpec,
  type Design,
  type Fault,
  type FrameSpec,
  type HexColor,
  isFault,
  type Paint,
  type Surround,
  type TextBlock,
} from '../protocol.ts';
import type { ShapedLine } from '../shaping/line.ts';
import { type SetCaption, setCaption } from './caption.ts';
import { QUIET_ZONE_MODULES } from './dots.ts';
import { bandWidthPx, placeFrame, type Sides } from './frame.ts';
import type { Room } from './room.ts';
import { ADVANCE, ASIDE_MODULES, layOutText, MARGIN, type Scale, textPaint } from './text.ts';

/** What stands around a code. */
export interface Words {
  /** The text below, in parts that are never broken; empty: none. */
  readonly parts: readonly string[];
  readonly caption?: CaptionSpec;
  readonly frame?: FrameSpec;
}

/** A code with its quiet zone, which is a square. */
export interface CodeSquare extends Scale {
  readonly sidePx: number;
  readonly modulePx: number;
  readonly quietModules: number;
  /** Pixels on each side of it that belong to the canvas. */
  readonly bleedPx: number;
}

/** Margin above and below the text in a band, in ems. */
const BAND_MARGIN = 0.5;
/** The room beside a code is as wide as the code, so that all pictures of a size have one size. */
const BESIDE_WIDTHS = 1;

const PAPER: HexColor = '#ffffff';
/** What ISO/IEC 15415 asks of symbols for grade 2. */
const CONTRAST_LEAST = 0.4;

/** Returns the light of a colour on white paper, 0 to 1: ITU-R BT.601, as in grades. */
const lumaOf = (color: HexColor): number => {
  const share = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16) / 255;
  const alpha = color.length === 9 ? share(7) : 1;
  return 1 - alpha + alpha * (0.299 * share(1) + 0.587 * share(3) + 0.114 * share(5));
};

const colorsOf = (paint: Paint): readonly HexColor[] =>
  typeof paint === 'string' ? [paint] : paint.colorStops.map(({ color }) => color);

/** The colours of a caption and of a frame. */
interface Colors {
  readonly caption: HexColor;
  readonly frame: HexColor;
}

const isBanner = (frame: FrameSpec | undefined): frame is FrameSpec =>
  frame !== undefined && FRAME_TYPES[frame.type].banner !== null;

/** Returns the colours of a caption and of a frame, where there is one. */
export const colorsOfWords = (
  { caption, frame }: { readonly caption?: Pick<CaptionSpec, 'color'>; readonly frame?: FrameSpec },
  design: Design,
): Colors => {
  const { paint } = design.background;
  const ground = typeof paint === 'string' && paint.length === 7 ? paint : PAPER;
  return {
    caption: caption?.color ?? (isBanner(frame) ? ground : textPaint(design)),
    frame: frame?.color ?? textPaint(design),
  };
};

/** Returns the colours, or why a caption in a colour that was asked for cannot be read. */
const chooseColors = ({ caption, frame }: Words, design: Design): Colors | Fault => {
  const { paint, round } = design.background;
  const colors = colorsOfWords({ ...(caption && { caption }), ...(frame && { frame }) }, design);
  const field = caption?.color !== undefined ? 'caption_color' : 'frame_color';
  const isAsked = caption?.color !== undefined || (isBanner(frame) && frame.color !== undefined);
  if (caption === undefined || !isAsked) return colors;
  const behind = isBanner(frame) ? [colors.frame] : round > 0 ? [PAPER] : colorsOf(paint);
  const contrast = Math.min(...behind.map((color) => Math.abs(lumaOf(color) - lumaOf(colors.caption))));
  if (contrast >= CONTRAST_LEAST) return colors;
  return {
    field,
    message: `gives the caption a contrast of ${contrast.toFixed(2)} to what is behind it; it needs ${CONTRAST_LEAST}: choose a lighter or darker colour`,
  };
};

/**
 * Returns a set caption as a block of text.
 *
 * @param area Where its lines stand, which are centred vertically. Nothing of a letter is drawn left or right of it.
 */
const blockOf = (
  { sizePx, lines, lineBox, shaped, overhang }: SetCaption,
  { align, weight }: CaptionSpec,
  area: Sides,
  bleedPx: number,
): TextBlock => {
  const share = { left: 0, center: 0.5, right: 1 }[align];
  const [leastPx, mostPx] = [area.left + overhang.left * sizePx, area.right - overhang.right * sizePx];
  const startOf = (text: string, set: ShapedLine | undefined): number => {
    const widthPx = sizePx * (set === undefined ? [...text].length * ADVANCE : set.right - set.left);
    const alignedPx = area.left + share * (area.right - area.left - widthPx);
    return Math.max(leastPx, Math.min(mostPx - widthPx, alignedPx)) - (set?.left ?? 0) * sizePx;
  };
  const topPx = (area.top + area.bottom - lines.length * lineBox.height * sizePx) / 2;
  return {
    heightPx: 0,
    sizePx,
    lines: lines.map((text, index) => ({
      text,
      xPx: bleedPx + startOf(text, shaped?.[index]),
      baselinePx: bleedPx + topPx + (index * lineBox.height + lineBox.baseline) * sizePx,
      ...(shaped && { shaped: shaped[index]!.shaped }),
    })),
    ...(weight === 'bold' && { weight }),
  };
};

/** What is placed so far. */
interface Placed {
  readonly content: Sides;
  readonly caption: TextBlock | null;
  readonly lost: SetCaption['lost'];
}

/** Makes the functions that place captions. */
const createPlacing = (square: CodeSquare) => {
  const { sidePx, modulePx, bleedPx, isBitmap } = square;
  const whole = (px: number): number => (isBitmap ? Math.ceil(px - 1e-6) : px);
  const asidePx = ASIDE_MODULES * modulePx;
  const set = (spec: CaptionSpec, room: Omit<Room, 'codePx'>) =>
    setCaption(spec, { ...room, codePx: sidePx }, square);
  const heightOf = ({ lines, lineBox, sizePx }: SetCaption, margin: number): number =>
    whole((lines.length * lineBox.height + 2 * margin) * sizePx);

  return {
    whole,
    /** Places a caption above or below, as wide as the content, or beside it; the content grows by it. */
    inside(spec: CaptionSpec, content: Sides): Placed | Fault {
      const { left, top, right, bottom } = content;
      const isBeside = spec.side === 'beside';
      const room = isBeside
        ? { widthPx: BESIDE_WIDTHS * sidePx - asidePx, heightPx: sidePx - 2 * asidePx }
        : { widthPx: right - left - 2 * asidePx, heightPx: null };
      const caption = set(spec, room);
      if (isFault(caption)) return caption;
      const { lost } = caption;
      if (caption.lines.length === 0) return { content, caption: null, lost };
      if (isBeside) {
        const end = right + BESIDE_WIDTHS * sidePx;
        const area = { left: right, right: end - asidePx, top: 0, bottom: sidePx };
        return { content: { ...content, right: end }, caption: blockOf(caption, spec, area, bleedPx), lost };
      }
      const heightPx = heightOf(caption, MARGIN);
      const [from, to] = spec.side === 'below' ? [bottom, bottom + heightPx] : [top - heightPx, top];
      const area = { left: left + asidePx, right: right - asidePx, top: from, bottom: to };
      const block = blockOf(caption, spec, area, bleedPx);
      return {
        content: { ...content, top: Math.min(top, from), bottom: Math.max(bottom, to) },
        caption: block,
        lost,
      };
    },
    /** Sets the caption of a banner, and returns the height of its band. */
    inBand(spec: CaptionSpec, content: Sides): (SetCaption & { readonly bandPx: number }) | Fault {
      const widthPx = bandWidthPx(content, modulePx) - 2 * asidePx;
      const caption = set(spec, { widthPx, heightPx: null });
      if (isFault(caption)) return caption;
      if (caption.lines.length === 0) {
        return { field: 'caption', message: 'is blank, and the banner of this frame needs its text' };
      }
      return { ...caption, bandPx: heightOf(caption, BAND_MARGIN) };
    },
    bandArea: (band: Sides): Sides => ({
      ...band,
      left: band.left + asidePx,
      right: band.right - asidePx,
    }),
  };
};

/** Returns the content with the rest of four modules of quiet zone where something follows it. */
const withQuietZone = (content: Sides, { caption, frame }: Words, gapPx: number, sidePx: number): Sides => {
  const isAt = (side: CaptionSpec['side']): boolean =>
    frame !== undefined || (caption !== undefined && caption.side === side);
  return {
    left: frame === undefined ? content.left : content.left - gapPx,
    top: isAt('above') ? content.top - gapPx : content.top,
    right: isAt('beside') ? content.right + gapPx : content.right,
    bottom: isAt('below') ? Math.max(content.bottom, sidePx + gapPx) : content.bottom,
  };
};

const extent = (
  outside: Sides,
  { sidePx }: CodeSquare,
): Pick<Surround, 'leftPx' | 'topPx' | 'rightPx' | 'bottomPx'> => ({
  leftPx: 0 - outside.left,
  topPx: 0 - outside.top,
  rightPx: outside.right - sidePx,
  bottomPx: outside.bottom - sidePx,
});

const movedBy = (sides: Sides, px: number): Sides => ({
  left: sides.left + px,
  top: sides.top + px,
  right: sides.right + px,
  bottom: sides.bottom + px,
});

/**
 * Lays out what stands around a code, which stays as it is. GS1 text stands directly below it, then comes the caption, and
 * the frame surrounds them all; the caption of a banner stands in its band. Captions and frames keep four modules of quiet
 * zone free, whatever the code itself has.
 *
 * Faults: those of `layOutText` and `setCaption`, `caption` when the banner has no text, and `caption_color` or
 * `frame_color` when the caption would not be read.
 */
export const layOutSurround = (words: Words, square: CodeSquare, design: Design): Surround | Fault => {
  const { parts, caption, frame } = words;
  const { sidePx, modulePx, quietModules, bleedPx } = square;
  const below =
    parts.length === 0 ? null : layOutText(parts, { ...square, widthPx: sidePx, heightPx: sidePx });
  if (below !== null && isFault(below)) return below;
  const colors = chooseColors(words, design);
  if (isFault(colors)) return colors;
  const placing = createPlacing(square);
  const gapPx = placing.whole(Math.max(0, QUIET_ZONE_MODULES - quietModules) * modulePx);
  const code = { left: 0, top: 0, right: sidePx, bottom: sidePx + (below?.heightPx ?? 0) };
  const content = withQuietZone(code, words, gapPx, sidePx);
  const texts = below === null ? [] : [{ ...below, color: textPaint(design) }];
  const captionIn = (block: TextBlock | null) =>
    block === null ? texts : [...texts, { ...block, color: colors.caption }];

  if (isBanner(frame) && caption !== undefined) {
    const set = placing.inBand(caption, content);
    if (isFault(set)) return set;
    const { path, band, outside } = placeFrame(frame.type, movedBy(content, bleedPx), square, set.bandPx);
    const block = blockOf(set, caption, placing.bandArea(band!), 0);
    return {
      ...extent(movedBy(outside, -bleedPx), square),
      frame: { path, color: colors.frame },
      texts: captionIn(block),
      lost: set.lost,
    };
  }
  const placed =
    caption === undefined ? { content, caption: null, lost: [] } : placing.inside(caption, content);
  if (isFault(placed)) return placed;
  const { lost } = placed;
  const around = captionIn(placed.caption);
  if (frame === undefined) {
    const whole = placed.caption === null ? code : placed.content;
    return { ...extent(whole, square), texts: around, lost };
  }
  const { path, outside } = placeFrame(frame.type, movedBy(placed.content, bleedPx), square, 0);
  return {
    ...extent(movedBy(outside, -bleedPx), square),
    frame: { path, color: colors.frame },
    texts: around,
    lost,
  };
};
