/** A font file that HarfBuzz has read: which characters it has, how a run of text is set in it, and its outlines. */
import { LRUCache } from 'lru-cache';
import { getOrMake } from '../kept.ts';
import type { OutlineCommand } from '../vector/pdf-objects.ts';
import { drawGlyph, harfBuzz, putBytes } from './harfbuzz.ts';
import { toSfnt } from './woff.ts';

/** A glyph as HarfBuzz sets it. Lengths are in ems, from the pen. */
export interface SetGlyph {
  readonly glyph: number;
  /** The place in the text of the first character that it stands for. */
  readonly cluster: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
}

/** What a glyph's outline covers, in ems. */
export type GlyphBox = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

/** An outline in units of the font, with y upwards, and its box; `null`: it is blank. */
export interface GlyphOutline {
  readonly commands: readonly OutlineCommand[];
  readonly box: GlyphBox | null;
}

const LEFT_TO_RIGHT = 4;
const RIGHT_TO_LEFT = 5;
/** Invisible characters have no glyph, and a lone mark gets no dotted circle. */
const FLAGS = 0x8 | 0x10;
/** Bytes of `hb_glyph_info_t` and of `hb_glyph_position_t`. */
const RECORD_BYTES = 20;
/** Outlines in use of a font; those of Chinese have 65,000. */
const KEPT_OUTLINES = 4000;
/** The memory is ours, and HarfBuzz may write to it. */
const WRITABLE = 2;

/** Returns the box of an outline: that of its control points, which is never less than what is drawn. */
const boxOf = (commands: readonly OutlineCommand[], unitsPerEm: number): GlyphBox | null => {
  let [left, right, top, bottom] = [Infinity, -Infinity, -Infinity, Infinity];
  for (const { args } of commands) {
    for (let at = 0; at < args.length; at += 2) {
      const [x, y] = [args[at]! / unitsPerEm, args[at + 1]! / unitsPerEm];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [bottom, top] = [Math.min(bottom, y), Math.max(top, y)];
    }
  }
  return left === Infinity ? null : { left, right, top, bottom };
};

/** Makes the function that sets a run of text. */
const createSetRun = (font: number, unitsPerEm: number) => {
  const harf = harfBuzz();
  const buffer = harf.hb_buffer_create!();
  const lengthAt = harf.malloc!(4);
  const readGlyphs = (): readonly SetGlyph[] => {
    const infosAt = harf.hb_buffer_get_glyph_infos!(buffer, lengthAt);
    const placesAt = harf.hb_buffer_get_glyph_positions!(buffer, lengthAt);
    const view = new DataView(harf.memory.buffer);
    const em = (at: number): number => view.getInt32(at, true) / unitsPerEm;
    return Array.from({ length: view.getUint32(lengthAt, true) }, (_, index) => {
      const [info, place] = [infosAt + index * RECORD_BYTES, placesAt + index * RECORD_BYTES];
      return {
        glyph: view.getUint32(info, true),
        cluster: view.getUint32(info + 8, true),
        advance: em(place),
        x: em(place + 8),
        y: em(place + 12),
      };
    });
  };
  return (text: string, from: number, to: number, isRightToLeft: boolean): readonly SetGlyph[] => {
    const textAt = putBytes(Buffer.from(text, 'utf16le'));
    harf.hb_buffer_reset!(buffer);
    harf.hb_buffer_set_flags!(buffer, FLAGS);
    harf.hb_buffer_add_utf16!(buffer, textAt, text.length, from, to - from);
    harf.hb_buffer_set_direction!(buffer, isRightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT);
    harf.hb_buffer_guess_segment_properties!(buffer);
    harf.hb_shape!(font, buffer, 0, 0);
    harf.free!(textAt);
    return readGlyphs();
  };
};

/** A font. */
export type Face = ReturnType<typeof openFace>;

/** Opens a font file: TrueType, OpenType or WOFF. @throws {Error} When it is none. */
export const openFace = (file: Uint8Array) => {
  const harf = harfBuzz();
  const bytes = toSfnt(file);
  const blob = harf.hb_blob_create!(putBytes(bytes), bytes.length, WRITABLE, 0, 0);
  const face = harf.hb_face_create!(blob, 0);
  const font = harf.hb_font_create!(face);
  const unitsPerEm = harf.hb_face_get_upem!(face);
  const glyphAt = harf.malloc!(4);
  const outlines = new LRUCache<number, GlyphOutline>({ max: KEPT_OUTLINES });
  return {
    unitsPerEm,
    /** Whether the font has a glyph for a character. */
    has: (character: string): boolean =>
      harf.hb_font_get_nominal_glyph!(font, character.codePointAt(0)!, glyphAt) !== 0,
    /** Sets the characters from one place of a text to another, which are of one script. Glyphs are from left to right. */
    setRun: createSetRun(font, unitsPerEm),
    outlineOf: (glyph: number): GlyphOutline =>
      getOrMake(outlines, glyph, () => {
        const commands = drawGlyph(font, glyph);
        return { commands, box: boxOf(commands, unitsPerEm) };
      }),
  };
};
