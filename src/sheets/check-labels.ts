/** Whether labels can be printed whole, and tills read their codes. They are looked at before anything is printed. */

import { namesOf, PARAMETERS, type ParameterName } from '../../workers/lists.ts';
import { sizeOnLabel } from '../../workers/print/dots.ts';
import { tellCharacters } from '../../workers/print/lines.ts';
import type { Design, Fault, Logo } from '../../workers/protocol.ts';
import { gradeFaultOfTill, namesIn } from '../../workers/quality/grades.ts';
import type { CaptionLoss, SheetLabel } from '../../workers/sheets/protocol.ts';
import type { Loss } from '../csv/caption.ts';
import { layOutFile } from '../generate/file.ts';
import type { Graded } from '../generate/quality/graded.ts';
import { SIZE_LEAST_PT } from './label.ts';
import { createStubs, type SheetCode, startSheetThread } from './maker.ts';
import type { Sheet } from './sheet.ts';

/** A code to be looked at. Without a picture and without a fault only its caption is. */
export interface CheckedCode extends SheetCode {
  /** What its caller knows it by, such as `row 3`. */
  readonly known: string;
  /** Why it has no picture. */
  readonly fault: string | null;
}

/** A label that loses something that the caller does not allow. */
export interface LabelFault {
  readonly field: 'label.caption' | 'label';
  readonly message: string;
}

/** What labels lose. */
export interface LabelReport {
  /** How many captions are cut, or have characters that cannot be printed, and how many codes cannot be drawn. */
  readonly lost: Readonly<Record<Loss, number>>;
  /** The codes that cannot be drawn, counted from 1: the first ones, if there are very many. */
  readonly missing: readonly number[];
  /** How many captions and codes the caller does not allow; the first of them, in words. */
  readonly refused: { readonly captions: number; readonly codes: number };
  readonly faults: readonly LabelFault[];
  /** See `toldWarnings`. */
  readonly warnings: readonly ParameterName[];
}

/**
 * Returns warnings of label printers in the order of docs/quality.md, each once. Small modules are told by their size,
 * whatever the format.
 */
export const toldWarnings = (warnings: ReadonlySet<ParameterName>): readonly ParameterName[] =>
  namesOf(PARAMETERS).filter((name) => warnings.has(name) && name !== 'small-modules');

/** Labels that are looked at in one step. */
const STEP = 200;
const FAULTS_MAX = 20;
/** As many as a header has room for, and more. */
const MISSING_CODES_MAX = 2000;
const SHOWN_CHARACTERS = 40;

const shorten = (text: string): string => {
  const characters = [...text.replace(/\p{C}/gu, ' ')];
  return characters.length > SHOWN_CHARACTERS
    ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
    : characters.join('');
};

const tell = (caption: string, { isCut, missing }: CaptionLoss, allowed: readonly Loss[]): string => {
  const reasons = [
    ...(isCut && !allowed.includes('cut') ? [`does not fit in type of ${SIZE_LEAST_PT} pt`] : []),
    ...(missing.length > 0 && !allowed.includes('glyphs')
      ? [`has characters that cannot be printed, ${tellCharacters(missing)}`]
      : []),
  ];
  return `"${shorten(caption)}" ${reasons.join(', and ')}`;
};

/**
 * Looks at the labels of codes in a thread of the lowest priority.
 *
 * @param onStep Called after some labels with the time that they took in the thread, and awaited.
 */
export const checkLabels = async (
  sheet: Sheet,
  codes: AsyncIterable<CheckedCode>,
  onStep: (workedMs: number) => Promise<void> | void = () => {},
): Promise<LabelReport> => {
  const { caption, allow } = sheet;
  const lost = { cut: 0, glyphs: 0, codes: 0 };
  const missing: number[] = [];
  const refused = { captions: 0, codes: 0 };
  const faults: LabelFault[] = [];
  const warned = new Set<ParameterName>();
  const toStub = createStubs(caption);
  const thread = startSheetThread(sheet, '');
  let step: { readonly code: CheckedCode; readonly label: SheetLabel }[] = [];
  let logos = new Map<string, Logo>();
  let before = 0;

  const refuse = (kind: keyof typeof refused, field: LabelFault['field'], message: string): void => {
    refused[kind] += 1;
    if (faults.length < FAULTS_MAX) faults.push({ field, message });
  };

  const judgeCode = ({ known }: CheckedCode, index: number, fault: string | undefined | null): void => {
    if (fault === undefined || fault === null) return;
    lost.codes += 1;
    if (missing.length < MISSING_CODES_MAX) missing.push(index);
    if (!allow.includes('codes')) refuse('codes', 'label', `${known}: ${fault}`);
  };

  const judgeCaption = ({ known }: CheckedCode, text: string, loss: CaptionLoss | null): void => {
    if (loss === null) return;
    const isMissing = loss.missing.length > 0;
    if (loss.isCut) lost.cut += 1;
    if (isMissing) lost.glyphs += 1;
    if ((!loss.isCut || allow.includes('cut')) && (!isMissing || allow.includes('glyphs'))) return;
    refuse('captions', 'label.caption', `${known}: ${tell(text, loss, allow)}`);
  };

  const look = async (): Promise<void> => {
    const page = { labels: step.map(({ label }) => label), logos };
    const { losses, faults: found, warnings, workedMs } = await thread.ask({ kind: 'check', page });
    for (const name of warnings) warned.add(name);
    const byPlace = new Map(found.map(({ place, fault }) => [place, `${fault.field}: ${fault.message}`]));
    for (const [place, { code, label }] of step.entries()) {
      judgeCode(code, before + place + 1, byPlace.get(place) ?? code.fault);
      judgeCaption(code, label.caption, losses[place]!);
    }
    before += step.length;
    [step, logos] = [[], new Map()];
    await onStep(workedMs);
  };

  try {
    for await (const code of codes) {
      const label = { xMm: 0, yMm: 0, background: null, ...(await toStub(code, logos)) };
      step.push({ code, label });
      if (step.length === STEP) await look();
    }
    if (step.length > 0) await look();
  } finally {
    await thread.close();
  }
  return { lost, missing, refused, faults, warnings: toldWarnings(warned) };
};

/** Returns why a till may not read a code at its size on the sheet, grade aside; `null`: it does. */
export const findTillFault = (sheet: Sheet, text: string, design: Design): Fault | null => {
  if (!sheet.isForTill) return null;
  const size = sizeOnLabel(sheet.label.code.widthMm, sheet.dpi, true);
  const print = { size, inks: { color: 'rgb', paper: '#ffffff' } } as const;
  const laid = layOutFile(text, design, { format: 'pdf', print });
  if (laid.ok) return null;
  return laid.fault.field === 'width_mm' ? { ...laid.fault, field: 'label.code_mm' } : laid.fault;
};

/** Parameters that depend on the size. */
const OF_SIZE: readonly (ParameterName | undefined)[] = ['quiet-zone', 'small-modules'];

/**
 * Returns why a till may not read a saved code, by the grade that its picture had when it was made; `null`: it may. A
 * grade that the size of the picture has lowered says nothing about a label, nor does any about a print in black and
 * white, which `checkLabels` judges.
 */
export const findSavedTillFault = (
  { isForTill, format }: Sheet,
  { grade, warnings }: Graded,
): Fault | null =>
  isForTill && format === 'pdf'
    ? gradeFaultOfTill(OF_SIZE.includes(namesIn(warnings)[0]) ? 4 : grade, warnings)
    : null;
