/** A picture as readers see it: on white paper, and without colours. */
export interface Luma {
  readonly widthPx: number;
  readonly heightPx: number;
  /** One byte a pixel in rows from the top: 0 is black, 255 is white. */
  readonly data: Uint8Array;
}

/** Returns the luma of a colour (ITU-R BT.601) on white paper, 0 to 255. @param alpha 0 is transparent. */
export const lumaOf = (red: number, green: number, blue: number, alpha = 255): number => {
  const luma = (77 * red + 150 * green + 29 * blue + 128) >> 8;
  return alpha === 255 ? luma : Math.round(255 + ((luma - 255) * alpha) / 255);
};
