/** What documents of labels do, whatever their format. */
import type { ParameterName } from '../lists.ts';
import { planRender, type RenderPlan } from '../plan.ts';
import type { PrintSize } from '../print/dots.ts';
import { layOutPrint } from '../print/layout.ts';
import { type Design, type Fault, isFault, type Logo, type PrintPage } from '../protocol.ts';
import { createSymbol, type QrSymbol } from '../symbol/symbol.ts';
import type { CaptionLoss, SheetLabel, SheetPage } from './protocol.ts';

/** Labels without a code, by their place. */
export type Faults = readonly { readonly place: number; readonly fault: Fault }[];

/** What was found in the codes of a page. */
export interface Findings {
  /** The codes that cannot be drawn, and why. */
  readonly faults: Faults;
  /** What makes some of the codes read worse than grade 4 as a label printer prints them; empty in a PDF. */
  readonly warnings: readonly ParameterName[];
}

/** An open document. */
export interface SheetDocument {
  /** Looks at a page, and says what of each caption cannot be printed. Draws nothing. */
  check(page: SheetPage): Findings & { readonly losses: readonly (CaptionLoss | null)[] };
  /** Draws the next page. */
  drawPage(page: SheetPage): Findings;
  /** Takes the bytes that were written since the last call: all pages but the latest one. */
  take(): Uint8Array<ArrayBuffer>;
  /** Ends the document. Returns the bytes that are left. */
  end(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What is printed in place of a code is as large as fits. */
export const MISSING_AREA = { sizePt: 8, leastPt: 2, linesMax: 1, align: 'center' } as const;

/** Returns the faults of a page's labels. */
export const findFaults = ({ labels }: SheetPage, faultOf: (label: SheetLabel) => Fault | null): Faults =>
  labels.flatMap((label, place) => {
    const fault = faultOf(label);
    return fault === null ? [] : [{ place, fault }];
  });

/** A code that is laid out for its label. */
export interface PlannedCode {
  readonly plan: RenderPlan;
  readonly symbol: QrSymbol;
  readonly design: Design;
  readonly logo: Logo | null;
  readonly page: PrintPage;
}

/** Lays out the code of a label. @param logos By the keys of the labels. */
export const planCode = (
  { text, logo: key }: Pick<SheetLabel, 'text' | 'logo'>,
  design: Design,
  logos: ReadonlyMap<string, Logo>,
  size: PrintSize,
  kind: 'bitmap' | 'vector',
): PlannedCode | Fault => {
  const logo = key === null ? null : logos.get(key)!;
  const print = layOutPrint(text, design, size, kind);
  if (isFault(print)) return print.field === 'width_mm' ? { ...print, field: 'label.code_mm' } : print;
  const plan = planRender(text, print.design, logo);
  if (isFault(plan)) return plan;
  const symbol = createSymbol(text, plan.symbol);
  return { plan, symbol, design: print.design, logo, page: print.page };
};
