/** The messages between a process and its threads that draw sheets of labels: plain data, types only. Lengths in mm. */
import type { ParameterName, SheetFormat } from '../lists.ts';
import type { Design, Fault, Logo } from '../protocol.ts';

/** A rectangle, by its top left corner. */
export type Area = Readonly<Record<'xMm' | 'yMm' | 'widthMm' | 'heightMm', number>>;

/** The area of a caption on a label. Its lines are centred vertically. */
export interface CaptionArea extends Area {
  /** The size of the type, and the size down to which it shrinks for a text that does not fit. */
  readonly sizePt: number;
  readonly leastPt: number;
  readonly linesMax: number;
  readonly align: 'left' | 'center';
}

/** Where code and caption are, from the label's top left corner. */
export interface LabelLayout {
  readonly code: Area;
  readonly caption: CaptionArea | null;
}

/** A line from one point of the page to another. */
export type Mark = Readonly<Record<'x1Mm' | 'y1Mm' | 'x2Mm' | 'y2Mm', number>>;

/** What all pages of a document share. */
export interface SheetSettings {
  /** Those of label printers need `dpi`, and have neither marks nor bleed. */
  readonly format: SheetFormat;
  /** A TrueType file. */
  readonly fontPath: string;
  readonly title: string;
  readonly widthMm: number;
  readonly heightMm: number;
  /** How far the paper extends beyond the page on each side; `bleedMm` of that is bleed. */
  readonly outsetMm: number;
  readonly bleedMm: number;
  readonly label: LabelLayout;
  /** Dots per inch of the printer, of which each module has the same whole number; `null`: codes fill their areas. */
  readonly dpi: number | null;
  /** Whether a code that tills may miss is a fault. */
  readonly isForTill: boolean;
  readonly marks: readonly Mark[];
}

/** A label on a page. */
export interface SheetLabel {
  readonly xMm: number;
  readonly yMm: number;
  /** What the colour of the code's background fills; `null` fills nothing. */
  readonly background: Area | null;
  readonly text: string;
  /** `null`: the code cannot be drawn. */
  readonly design: Design | null;
  readonly logo: string | null;
  /** What is printed in place of a code that cannot be drawn. */
  readonly missing: string;
  /** Any text; '' without a caption. */
  readonly caption: string;
}

/** A page to be drawn. */
export interface SheetPage {
  readonly labels: readonly SheetLabel[];
  /** Logos by key that no earlier page had. */
  readonly logos: ReadonlyMap<string, Logo>;
}

/** What of a caption cannot be printed. */
export interface CaptionLoss {
  /** Whether it does not fit in the least size of the type. */
  readonly isCut: boolean;
  /** Characters that the font lacks, or that cannot be set, each once. */
  readonly missing: readonly string[];
}

/** What the thread is asked for: what labels would lose, the next page, or the end of the document. */
export type SheetOrder =
  | { readonly kind: 'check'; readonly page: SheetPage }
  | { readonly kind: 'page'; readonly page: SheetPage }
  | { readonly kind: 'end' };

/** What the thread answers. */
export interface SheetAnswer {
  /** The next bytes of the document; all that are left after the end. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Labels of the page whose codes cannot be drawn, by their place in `labels`, except those without a design. */
  readonly faults: readonly { readonly place: number; readonly fault: Fault }[];
  /** What makes some of the codes read worse than grade 4 as a label printer prints them. */
  readonly warnings: readonly ParameterName[];
  /** What each caption loses of the labels to be checked. */
  readonly losses: readonly (CaptionLoss | null)[];
  /** Time that the request took in the thread. */
  readonly workedMs: number;
}
