/** Contrast as WCAG 2.2 defines it ("relative luminance", "contrast ratio"). */

/** sRGB channels 0 to 255, `alpha` 0 to 1. */
export interface Rgba {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export const WHITE: Rgba = { red: 255, green: 255, blue: 255, alpha: 1 };
export const BLACK: Rgba = { red: 0, green: 0, blue: 0, alpha: 1 };

/** Of `#rrggbb` or `rgba(r, g, b, a)`, the two ways in which a canvas writes any colour; otherwise `null`. */
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

/** What is seen where a translucent colour lies on an opaque one. */
export const over = (top: Rgba, ground: Rgba): Rgba => {
  const mix = (a: number, b: number): number => a * top.alpha + b * (1 - top.alpha);
  return {
    red: mix(top.red, ground.red),
    green: mix(top.green, ground.green),
    blue: mix(top.blue, ground.blue),
    alpha: 1,
  };
};

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** 0 (black) to 1 (white). */
export const luminance = ({ red, green, blue }: Rgba): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** 1 to 21, whichever is the lighter one. */
export const contrastRatio = (a: Rgba, b: Rgba): number => {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
};

export interface Contrast {
  readonly ratio: number;
  /** Light dots on a darker ground, which many readers cannot read. */
  readonly inverted: boolean;
}

/**
 * The worst contrast that any of the dots' colours has with any of the ground's, on white paper. A gradient is no
 * better than its worst pair of stops.
 */
export const worstContrast = (dots: readonly Rgba[], grounds: readonly Rgba[]): Contrast => {
  const pairs = grounds.flatMap((ground) => {
    const seen = over(ground, WHITE);
    return dots.map((dot) => [over(dot, seen), seen] as const);
  });
  return {
    ratio: Math.min(21, ...pairs.map(([dot, ground]) => contrastRatio(dot, ground))),
    inverted: pairs.some(([dot, ground]) => luminance(dot) > luminance(ground)),
  };
};
