/**
 * The messages between the gateway and the render threads: plain data.
 *
 * Lengths are in pixels where the name ends in `Px`. Colours are `#rrggbb` or `#rrggbbaa` in lower case: the
 * gateway parses every other CSS spelling before a thread sees it.
 */
import type { CornerType, DotType, FileFormat, FrameType, Gs1Content, ParameterName } from './lists.ts';

/** Restores about 7, 15, 25 or 30 % of the codewords: ISO/IEC 18004:2015, 6.5.1. */
export type ErrorCorrectionLevel = 'L' | 'M' | 'Q' | 'H';
/** How a segment of the text is encoded: ISO/IEC 18004:2015, 7.3. */
export type SymbolMode = 'Numeric' | 'Alphanumeric' | 'Byte' | 'Kanji';
/** `#rrggbb` or `#rrggbbaa`, lower case. */
export type HexColor = string;

/** One colour of a gradient and its place between the two ends. */
export interface GradientStop {
  /** From 0, the beginning, to 1, the end. */
  readonly offset: number;
  readonly color: HexColor;
}

/** Spans the box of what it fills. `rotationRad` turns a linear gradient clockwise; a radial one ignores it. */
export interface Gradient {
  readonly type: 'linear' | 'radial';
  readonly rotationRad: number;
  readonly colorStops: readonly GradientStop[];
}

/** What a part of the picture is filled with. */
export type Paint = HexColor | Gradient;

/** What the caller asks of the symbol. `fitSymbol` decides within it. */
export interface SymbolRequest {
  /** 1 to 40, or 0 for the smallest version that holds the text. */
  readonly typeNumber: number;
  /** `null` chooses the mode from the text. */
  readonly mode: SymbolMode | null;
  /** Tried in this order; the first level at which the text fits is taken. Never empty. */
  readonly levels: readonly ErrorCorrectionLevel[];
  /** The shortest sequence of segments, with the modes that it takes; `mode` must be `null`. Absent: one segment. */
  readonly segments?: 'optimal';
  /** Puts the designator of UTF-8 (ECI 26) before characters outside ASCII in Byte mode. Absent: no designator. */
  readonly eci?: true;
  /** Takes the highest level that the version holds. Absent: the first of `levels` that fits. */
  readonly boost?: true;
  /** The GS1 data that the text must be. An element string gets FNC1 in first position. Absent: any text. */
  readonly gs1?: Gs1Content;
}

/** Everything that decides the picture, except the text and the logo's pixels. All defaults are applied. */
export interface Design {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `null` means a quiet zone of four modules (ISO/IEC 18004, 6.3.8). */
  readonly marginPx: number | null;
  readonly shape: 'square' | 'circle';
  readonly symbol: SymbolRequest;
  readonly dots: { readonly type: DotType; readonly paint: Paint; readonly roundSize: boolean };
  /** The ring of the finder patterns. A `null` type draws like the dots; a `null` paint takes the dots' paint. */
  readonly cornersSquare: { readonly type: CornerType | null; readonly paint: Paint | null };
  /** The centre of the finder patterns. A `null` type draws like the dots; a `null` paint takes the ring's paint. */
  readonly cornersDot: { readonly type: CornerType | null; readonly paint: Paint | null };
  readonly background: { readonly paint: Paint; readonly round: number };
  readonly image: {
    /** Share of what the error correction can restore that the logo may cover, measured as area. */
    readonly size: number;
    readonly marginPx: number;
    readonly hideBackgroundDots: boolean;
  };
  /** The word TEST under the symbol, for pictures that nobody pays for. Absent: none. */
  readonly mark?: 'test';
}

/** A logo that the gateway has decoded, bounded and encoded again: always PNG, never the caller's bytes. */
export interface Logo {
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** What grading needs of it, so that no thread has to decode it. Absent: the thread decodes it. */
  readonly grid?: LogoGrid;
  /** The same picture as paths, for files that are vectors; absent when it is a bitmap or more than plain paths. */
  readonly vector?: LogoVector;
}

/** A logo reduced to few pixels, one byte each, row-major. */
export interface LogoGrid {
  readonly columns: number;
  readonly rows: number;
  /** Multiplied by alpha. */
  readonly luma: Uint8Array;
  readonly alpha: Uint8Array;
}

/** A logo as paths in painting order, cut off at its edges. */
export interface LogoVector {
  /** The units of the paths along the sides of the logo. */
  readonly width: number;
  readonly height: number;
  readonly figures: readonly LogoFigure[];
}

/** One path of a logo. */
export interface LogoFigure {
  /** Path data of absolute `M`, `L`, `C`, and `z`. */
  readonly path: string;
  readonly color: HexColor;
  readonly rule: 'nonzero' | 'evenodd';
  /** How the path is stroked in place of being filled. */
  readonly stroke?: LogoStroke;
}

/** A stroke, by the names of SVG. */
export interface LogoStroke {
  readonly width: number;
  readonly cap: 'butt' | 'round' | 'square';
  readonly join: 'miter' | 'round' | 'bevel';
  readonly miterLimit: number;
}

/** The colours of a print. */
export interface Inks {
  /** `rgb`: colours stay RGB, except black, which is K alone. `cmyk`: all colours become CMYK. */
  readonly color: 'rgb' | 'cmyk';
  /** What lies under translucent parts where a format has no transparency. Opaque. */
  readonly paper: HexColor;
  /** Opaque colours of the design that are inks of their own. Absent: none. */
  readonly spots?: readonly SpotColor[];
  /** Black and spot colours print over the background, which is not left out below them. Greys are K of CMYK then. */
  readonly overprint?: true;
  /** Absent: none. */
  readonly plates?: Plates;
}

/** A colour that a press prints with an ink of its own, by the name of that ink: ISO 32000-1, 8.6.6.4. */
export interface SpotColor {
  readonly name: string;
  readonly color: HexColor;
}

/** What a press makes besides the picture, each as a separation of its own that prints over everything. */
export interface Plates {
  /** The line along which the picture is cut or punched: its edge, with round corners. */
  readonly dieline?: { readonly name: string; readonly radiusMm: number };
  /** The name of a white that lies under the whole picture and its bleed. */
  readonly white?: string;
  /** The name of a varnish over all but the code and its quiet zone. */
  readonly varnish?: string;
}

/** A size in millimetres. The bleed comes on top of it on each side. */
export interface Page {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly bleedMm: number;
}

/** The page that a picture in millimetres was laid out for. */
export interface PrintPage extends Page {
  /** Of the pixels of the design. */
  readonly mmPerPx: number;
  /** The pixels on each side of the canvas that are bleed: 0 in a vector, whose canvas has none. */
  readonly bleedPx: number;
}

/** A glyph of a font of `workers/shaping/chain.ts`. Its place is in ems, from the start of its line, with y upwards. */
export interface ShapedGlyph {
  readonly font: string;
  readonly glyph: number;
  readonly x: number;
  readonly y: number;
}

/** A line whose letters join, have marks, are written from right to left, or are those of several fonts. */
export interface ShapedText {
  /** What is drawn. */
  readonly glyphs: readonly ShapedGlyph[];
  /** The characters from left to right, those that are drawn together as one, with their places in ems. */
  readonly letters: readonly { readonly text: string; readonly x: number; readonly width: number }[];
}

/** A line of text. Without `shaped` it is set letter by letter. */
export interface TextLine {
  readonly text: string;
  readonly xPx: number;
  readonly baselinePx: number;
  readonly shaped?: ShapedText;
}

/** Text beside a picture. Lengths are in pixels of its design, positions are on its canvas. */
export interface TextBlock {
  /** What it adds to the height of the canvas. */
  readonly heightPx: number;
  /** Em size of its letters. */
  readonly sizePx: number;
  /** Characters that the font has, or those that are shaped. */
  readonly lines: readonly TextLine[];
  /** Absent: regular. */
  readonly weight?: 'bold';
}

/** What a caption may lose: its end, or the characters that cannot be printed. */
export type TextLoss = 'cut' | 'glyphs';

/** Words beside a code, as a caller asks for them. */
export interface CaptionSpec {
  /** Lines are separated by line ends. */
  readonly text: string;
  /** Above and below a code, the lines that it may take. */
  readonly linesMax: number;
  readonly side: 'below' | 'above' | 'beside';
  readonly align: 'left' | 'center' | 'right';
  /** Greatest height of its digits; absent: follows from the code. */
  readonly mostMm?: number;
  readonly weight: 'regular' | 'bold';
  /** Opaque; absent: that of the dots, or in a banner of the background. */
  readonly color?: HexColor;
  /** What it may lose; it is refused when it loses anything else. */
  readonly allow: readonly TextLoss[];
}

/** A frame around a code, as a caller asks for it. */
export interface FrameSpec {
  readonly type: FrameType;
  /** Opaque; absent: that of the dots. */
  readonly color?: HexColor;
}

/**
 * What stands around a picture: frame and texts. Lengths are in pixels of its design, positions are on its canvas, which
 * they extend.
 */
export interface Surround {
  /** What it adds to the canvas on each side. */
  readonly leftPx: number;
  readonly topPx: number;
  readonly rightPx: number;
  readonly bottomPx: number;
  /** Path data, to be filled by the even-odd rule; absent: there is no frame. */
  readonly frame?: { readonly path: string; readonly color: HexColor };
  /** On the frame, where both have the same place. */
  readonly texts: readonly (TextBlock & { readonly color: HexColor })[];
  /** What its caption loses. */
  readonly lost: readonly TextLoss[];
}

/** What a print asks of a file. It changes the bytes. */
export interface PrintOptions {
  /** `null`: the pixels of the design, 96 to the inch. */
  readonly page: PrintPage | null;
  readonly inks: Inks;
  /** Absent: nothing. */
  readonly around?: Surround;
  /** A picture that tills may miss is a fault. */
  readonly till?: true;
}

/** One picture to draw. */
export interface RenderTask {
  readonly text: string;
  readonly design: Design;
  readonly logo: Logo | null;
  readonly format: Exclude<FileFormat, 'webp'>;
  /** Absent: pixels, and colours of screens. */
  readonly print?: PrintOptions;
  /** Asks for the whole `Quality` besides the picture; `alone`: without the picture, so that `bytes` is empty. */
  readonly report?: true | 'alone';
  /**
   * Asks for the least change of the design that gives this grade, in place of a picture: `bytes` is empty, and grade,
   * warnings and quality are those of the repaired design.
   */
  readonly repair?: Grade;
}

/** What a render thread receives when it starts. */
export interface ThreadSettings {
  /** Memory for the layers that it keeps from one picture to the next. */
  readonly layersMaxBytes: number;
}

/** Says why a picture cannot be drawn as asked. `field` is a path in the request body. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** The way in which a PNG is drawn. All but `reference` are fast, and draw the same pixels as it does. */
export type RasterLane = 'plain' | 'stamped' | 'layered' | 'reference';
/** The way in which a picture is drawn; `vector` is that of SVG, PDF and EPS. */
export type Lane = RasterLane | 'vector';

/** How well a picture reads, graded like ISO/IEC 15415. 4: every reader reads it in a sharp print; 0: few do. */
export type Grade = 0 | 1 | 2 | 3 | 4;

/** A reason why a picture has less than grade 4. `value` is the measured figure where one exists. */
export interface Warning {
  readonly name: ParameterName;
  readonly value?: number;
}

/** The grade of a picture: the lowest of its parameters. */
export interface Quality {
  readonly grade: Grade;
  readonly parameters: Readonly<Record<ParameterName, Grade>>;
  /** What was measured, in the units of `docs/quality.md`. */
  readonly figures: Readonly<Partial<Record<ParameterName, number>>>;
  /** One for each parameter below 4, the lowest first. Empty at grade 4. */
  readonly warnings: readonly Warning[];
}

/** A part of a design that a repair changed, and its new value. */
export type Change =
  | { readonly name: 'finder-centre' | 'finder-ring'; readonly value: CornerType }
  /** `null` leaves four modules. */
  | { readonly name: 'quiet-zone'; readonly value: number | null }
  | { readonly name: 'level'; readonly value: ErrorCorrectionLevel }
  | { readonly name: 'logo-size' | 'logo-margin'; readonly value: number };

/** A design after its repair. */
export interface Repair {
  readonly design: Design;
  /** In the order in which they were made; empty when nothing helps, or nothing is needed. */
  readonly changes: readonly Change[];
}

/** A drawn picture. */
export interface Rendered {
  /** The file; SVG and EPS are text in UTF-8. The array owns its whole buffer, since a copy includes all of it. */
  readonly bytes: Uint8Array;
  readonly lane: Lane;
  readonly grade: Grade;
  /**
   * The value of the header `Tessera-Warnings`: an RFC 8941 list of tokens with an optional parameter `v`, such as
   * `finder-centre, logo-damage;v=1.09`. '' at grade 4.
   */
  readonly warnings: string;
  /** Present when the task asked for a report. */
  readonly quality?: Quality;
  /** Present when the task asked for a repair. */
  readonly repair?: Repair;
  /** What its caption loses. Absent: nothing. */
  readonly lost?: readonly TextLoss[];
  /** Of the file and of a module. Present for barcodes, whose size only their thread knows. */
  readonly sizeMm?: Readonly<Record<'width' | 'height' | 'module', number>>;
  /** Time in the thread. */
  readonly renderMs: number;
}

/** What a thread answers for one task. `thrown`: the renderer failed on it, and this is the stack of its error. */
export type TaskResult = RenderResult | { readonly ok: false; readonly thrown: string };

/** What drawing one task gives: the picture, or the fault that makes it impossible. */
export type RenderResult =
  | { readonly ok: true; readonly value: Rendered }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Whether a result is a fault. No other result may have a property called `field`. A function of the threads that may
 * fail returns its value or a bare `Fault`, which crosses over in a message as it is: a search for a repair makes many
 * symbols, layouts and plans for one picture, and none of them needs a wrapper.
 */
export const isFault = <T extends object>(made: T | Fault): made is Fault => 'field' in made;
