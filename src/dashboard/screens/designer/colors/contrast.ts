/** Contrast as WCAG 2.2 defines it ("relative luminance", "contrast ratio"). */

/** sRGB channels 0 to 255, `alpha` 0 to 1. */
export interface Rgba {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** The paper on which a translucent background lies, and the default background. */
export const WHITE: Rgba = { red: 255, green: 255, blue: 255, alpha: 1 };
/** The default colour of dots. */
export const BLACK: Rgba = { red: 0, green: 0, blue: 0, alpha: 1 };

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

/** Returns the colour that is seen where a translucent colour lies on an opaque background. */
export const over = (top: Rgba, background: Rgba): Rgba => {
  const mix = (a: number, b: number): number => a * top.alpha + b * (1 - top.alpha);
  return {
    red: mix(top.red, background.red),
    green: mix(top.green, background.green),
    blue: mix(top.blue, background.blue),
    alpha: 1,
  };
};

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Returns the relative luminance, 0 (black) to 1 (white). */
export const luminance = ({ red, green, blue }: Rgba): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** Returns the contrast ratio, 1 to 21. The order of the colours does not matter. */
export const contrastRatio = (a: Rgba, b: Rgba): number => {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
};

/** The contrast of a design. */
export interface Contrast {
  readonly ratio: number;
  /** Whether dots are lighter than their background, which many scanners cannot read. */
  readonly inverted: boolean;
}

/**
 * Returns the lowest contrast between any colour of the dots and any colour of the background, on white paper. A
 * gradient is judged by its worst pair of stops.
 */
export const worstContrast = (dots: readonly Rgba[], backgrounds: readonly Rgba[]): Contrast => {
  const pairs = backgrounds.flatMap((background) => {
    const seen = over(background, WHITE);
    return dots.map((dot) => [over(dot, seen), seen] as const);
  });
  return {
    ratio: Math.min(21, ...pairs.map(([dot, background]) => contrastRatio(dot, background))),
    inverted: pairs.some(([dot, background]) => luminance(dot) > luminance(background)),
  };
};
