import { isFault } from '../fault.ts';
import { planRender } from '../plan.ts';
import { PT_PER_MM } from '../print/dots.ts';
import { layOutPrint } from '../print/layout.ts';
import type { Design, Fault, Inks, Logo } from '../protocol.ts';
import { gradeOf } from '../quality/grade.ts';
import { gradeFaultOfTill } from '../quality/till.ts';
import { createSymbol } from '../symbol/symbol.ts';
import { drawScene } from '../vector/draw-scene.ts';
import { internalsOf, setColor } from '../vector/pdf/objects.ts';
import { type Scene, sceneOf } from '../vector/scene.ts';
import type { createCaptions } from './caption.ts';
import type { SheetLabel, SheetSettings } from './protocol.ts';

const INKS: Inks = { color: 'rgb', paper: '#ffffff' };
const NO_BYTES = new Uint8Array(0);

/** Makes the functions that draw labels. @param captions `null`: labels have none. @param logos By the keys of the labels. */
export const createLabels = (
  doc: PDFKit.PDFDocument,
  captions: ReturnType<typeof createCaptions> | null,
  { label: { code }, isForTill }: Pick<SheetSettings, 'label' | 'isForTill'>,
  logos: ReadonlyMap<string, Logo>,
) => {
  /** Copies of a code come one after the other. */
  let last: { readonly label: SheetLabel; readonly scene: Scene } | null = null;

  const sceneFor = (label: SheetLabel): Scene | Fault => {
    const { text, design, logo: key } = label;
    if (last?.label.design === design && last.label.text === text && last.label.logo === key)
      return last.scene;
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
    const scene = sceneOf(plan, symbol, print.design, logo);
    last = { label, scene };
    return scene;
  };

  return {
    /** Fills the label's background. Call it for all labels of a page before codes are drawn. */
    drawBackground({ background, design }: SheetLabel): void {
      const color = backgroundColor(design);
      if (background === null || color === null) return;
      doc.save();
      setColor(doc, color, INKS, 'fill');
      const { xMm, yMm, widthMm, heightMm } = background;
      const box = [xMm, yMm, widthMm, heightMm].map((mm) => (mm * PT_PER_MM).toFixed(3));
      internalsOf(doc).addContent(`${box.join(' ')} re f`);
      doc.restore();
    },
    /** Draws code and caption. Returns a fault, and draws nothing, when there can be no such code. */
    draw(label: SheetLabel): Fault | null {
      const scene = sceneFor(label);
      if (isFault(scene)) return scene;
      const [xMm, yMm] = [label.xMm + code.xMm, label.yMm + code.yMm];
      const place = { xPt: xMm * PT_PER_MM, yPt: yMm * PT_PER_MM, widthPt: code.widthMm * PT_PER_MM };
      drawScene(doc, scene, place, INKS);
      release(scene);
      if (label.caption !== '') captions?.draw(label);
      return null;
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
