/**
 * What crosses the thread boundary between the gateway and the render threads: plain data, types only.
 *
 * Lengths are in pixels where the name ends in `Px`. Colours are `#rrggbb` or `#rrggbbaa`, lower case: the
 * gateway has parsed what the caller wrote, and no other spelling reaches a thread.
 */

export type DotType = 'square' | 'dots' | 'rounded' | 'extra-rounded' | 'classy' | 'classy-rounded';
/** `dot` is one disc (or ring); `dots` draws the figure's cells one by one as discs. */
export type CornerType = DotType | 'dot';
export type ErrorCorrectionLevel = 'L' | 'M' | 'Q' | 'H';
export type SymbolMode = 'Numeric' | 'Alphanumeric' | 'Byte' | 'Kanji';
export type HexColor = string;

export interface GradientStop {
  /** 0 to 1. */
  readonly offset: number;
  readonly color: HexColor;
}

export interface Gradient {
  readonly type: 'linear' | 'radial';
  readonly rotationRad: number;
  readonly colorStops: readonly GradientStop[];
}

export type Paint = HexColor | Gradient;

export interface SymbolRequest {
  /** 1 to 40, or 0 for the smallest version that holds the text. */
  readonly typeNumber: number;
  /** `null`: chosen from the text. */
  readonly mode: SymbolMode | null;
  /** Tried in this order; the first level at which the text fits is taken. Never empty. */
  readonly levels: readonly ErrorCorrectionLevel[];
}

/** Everything that decides the picture apart from the text and the logo's pixels, with every default applied. */
export interface Design {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `null`: a quiet zone of four modules (ISO/IEC 18004, 6.3.8). */
  readonly marginPx: number | null;
  readonly shape: 'square' | 'circle';
  readonly symbol: SymbolRequest;
  readonly dots: { readonly type: DotType; readonly paint: Paint; readonly roundSize: boolean };
  /** `null` falls back as design-options describe: the dots' style, the ring's or the dots' paint. */
  readonly cornersSquare: { readonly type: CornerType | null; readonly paint: Paint | null };
  readonly cornersDot: { readonly type: CornerType | null; readonly paint: Paint | null };
  readonly background: { readonly paint: Paint; readonly round: number };
  readonly image: {
    /** Share of the error-correction budget that the logo may cover, an area factor. */
    readonly size: number;
    readonly marginPx: number;
    readonly hideBackgroundDots: boolean;
  };
}

/** A logo that the gateway has decoded, bounded and written again: always PNG, never the caller's bytes. */
export interface Logo {
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface RenderTask {
  readonly text: string;
  readonly design: Design;
  readonly logo: Logo | null;
  readonly format: 'png' | 'svg';
}

/** What the caller asked for can't be drawn. `field` is the path in the request body. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

export type Lane = 'plain' | 'stamped' | 'reference';

export interface Rendered {
  readonly ok: true;
  /** PNG bytes, or the SVG document as UTF-8; owns its whole buffer, so that it can be transferred. */
  readonly bytes: Uint8Array;
  readonly lane: Lane;
  /** Time in the thread. */
  readonly renderMs: number;
}

export type RenderResult = Rendered | { readonly ok: false; readonly fault: Fault };
