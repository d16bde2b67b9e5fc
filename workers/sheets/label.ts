import { planRender } from '../plan.ts';
import { PT_PER_MM } from '../print/dots.ts';
import { layOutPrint } from '../print/layout.ts';
import { type Design, type Fault, type Inks, isFault, type Logo } from '../protocol.ts';
import { gradeOf } from '../quality/grade.ts';
import { gradeFaultOfTill } from '../quality/grades.ts';
import { createSymbol } from '../symbol/symbol.ts';
import { drawScene } from '../vector/pdf/draw-scene.ts';
import type { DocumentFont } from '../vector/pdf/font.ts';
import { internalsOf, setColor } from '../vector/pdf/objects.ts';
import { type Scene, sceneOf } from '../vector/scene.ts';
import { createCaptions } from './captions.ts';
import type { SheetLabel, SheetSettings } from './protocol.ts';

const INKS: Inks = { color: 'rgb', paper: '#ffffff' };
const NO_BYTES = new Uint8Array(0);

/** What is printed in place of a code is as large as fits. */
const MISSING_PT = { sizePt: 8, leastPt: 2 } as const;

/** Makes the functions that draw labels. @param logos By the keys of the labels. */
export const createLabels = (
  doc: PDFKit.PDFDocument,
  {
    captions,
    fontOf,
  }: {
    /** `null`: labels have none. */
    readonly captions: ReturnType<typeof createCaptions> | null;
    readonly fontOf: () => DocumentFont;
  },
  { label: { code }, isForTill }: Pick<SheetSettings, 'label' | 'isForTill'>,
  logos: ReadonlyMap<string, Logo>,
) => {
  /** Copies of a code come one after the other. */
  let last: { readonly label: SheetLabel; readonly scene: Scene } | null = null;
  let inPlace: ReturnType<typeof createCaptions> | null = null;

  const planFor = ({ text, logo: key }: SheetLabel, design: Design) => {
    const logo = key === null ? null : logos.get(key)!;
    const print = layOutPrint(
      text,
      design,
      { widthMm: code.widthMm, ...(isForTill && { till: true }) },
      'vector',
    );
    if (isFault(print)) return print;
    const plan = planRender(text, print.design, logo);
    if (isFault(plan)) return plan;
    const symbol = createSymbol(text, plan.symbol);
    if (isForTill) {
      const { quality, warnings } = gradeOf(symbol, print.design, plan.geometry, logo, print.page);
      const unread = gradeFaultOfTill(quality.grade, warnings);
      if (unread !== null) return unread;
    }
    return { plan, symbol, design: print.design, logo };
  };

  const sceneFor = (label: SheetLabel, written: Design): Scene | Fault => {
    const { text, logo: key } = label;
    if (last?.label.design === written && last.label.text === text && last.label.logo === key)
      return last.scene;
    const planned = planFor(label, written);
    if (isFault(planned)) return planned;
    const { plan, symbol, design, logo } = planned;
    const scene = sceneOf(plan, symbol, design, logo);
    last = { label, scene };
    return scene;
  };

  const drawMissing = ({ missing, xMm, yMm }: SheetLabel): void => {
    inPlace ??= createCaptions(doc, fontOf(), { ...code, ...MISSING_PT, linesMax: 1, align: 'center' });
    inPlace.draw({ caption: missing, xMm, yMm });
  };

  return {
    /** Fills the label's background. Call it for all labels of a page before codes are drawn. */
    drawBackground({ background, design }: SheetLabel): void {
      const color = design && backgroundColor(design);
      if (background === null || color === null) return;
      doc.save();
      setColor(doc, color, INKS, 'fill');
      const { xMm, yMm, widthMm, heightMm } = background;
      const box = [xMm, yMm, widthMm, heightMm].map((mm) => (mm * PT_PER_MM).toFixed(3));
      internalsOf(doc).addContent(`${box.join(' ')} re f`);
      doc.restore();
    },
    /** Returns why the code of a label cannot be drawn; `null`: it can, or it has no design. */
    findFault(label: SheetLabel): Fault | null {
      const planned = label.design && planFor(label, label.design);
      return planned !== null && isFault(planned) ? planned : null;
    },
    /** Draws code and caption. Without a design, or when it returns a fault, it draws `missing` in place of the code. */
    draw(label: SheetLabel): Fault | null {
      const scene = label.design && sceneFor(label, label.design);
      const fault = scene !== null && isFault(scene) ? scene : null;
      if (scene === null || isFault(scene)) drawMissing(label);
      else {
        const [xMm, yMm] = [label.xMm + code.xMm, label.yMm + code.yMm];
        const place = { xPt: xMm * PT_PER_MM, yPt: yMm * PT_PER_MM, widthPt: code.widthMm * PT_PER_MM };
        drawScene(doc, scene, place, INKS);
        release(scene);
      }
      if (label.caption !== '') captions?.draw(label);
      return fault;
    },
  };
};

/** A bitmap is in the document once it is drawn. Its bytes are no longer needed, and there may be many. */
const release = ({ logo }: Scene): void => {
  if (logo !== null && logo.logo.vector === undefined) (logo.logo as { png: Uint8Array }).png = NO_BYTES;
};

/** Returns the background colour to continue around the code; `null` when it is not a solid colour. */
const backgroundColor = ({ background: { paint, round } }: Design): string | null =>
  typeof paint === 'string' && round === 0 ? paint : null;
