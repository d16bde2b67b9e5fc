/** sRGB channels 0 to 255, `alpha` 0 to 1. */
export interface Rgba {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Reads `#rrggbb` or `rgba(r, g, b, a)`, the two forms in which a canvas writes any colour; otherwise `null`. */
export const parseCanvasColor = (text: string): Rgba | null => {
  const [, hex] = /^#([\da-f]{6})$/i.exec(text) ?? [];
  if (hex !== undefined) {
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    return { red, green, blue, alpha: 1 };
  }
  const [, list] = /^rgba?\(([^)]*)\)$/.exec(text) ?? [];
  const [red, green, blue, alpha = 1] = list?.split(',').map(Number) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return { red, green, blue, alpha };
};
