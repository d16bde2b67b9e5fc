/** Whether the captions of sheets can be printed whole. They are looked at before anything is printed. */
import type { CaptionLoss } from '../../workers/sheets/protocol.ts';
import { type Loss, writeCaption } from './caption.ts';
import { SIZE_LEAST_PT } from './label.ts';
import type { SheetCode } from './maker.ts';
import type { Sheet } from './sheet.ts';
import { startSheetThread } from './thread.ts';

/** The values of a code's caption. */
export interface Captioned extends Pick<SheetCode, 'values'> {
  /** What its caller knows it by, such as `row 3`. */
  readonly known: string;
}

/** What captions lose. */
export interface CaptionReport {
  /** How many captions are cut, and how many have characters that cannot be printed. */
  readonly lost: Readonly<Record<Loss, number>>;
  /** How many of those the caller does not allow; the first of them, in words. */
  readonly refused: number;
  readonly faults: readonly string[];
}

/** Captions that are looked at in one step. */
const STEP = 200;
const FAULTS_MAX = 20;
const SHOWN_CHARACTERS = 40;
const MISSING_MAX = 8;

const shorten = (text: string): string => {
  const characters = [...text.replace(/\p{C}/gu, ' ')];
  return characters.length > SHOWN_CHARACTERS
    ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
    : characters.join('');
};

const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const tell = (caption: string, { isCut, missing }: CaptionLoss, allowed: readonly Loss[]): string => {
  const more = missing.length > MISSING_MAX ? ` and ${missing.length - MISSING_MAX} more` : '';
  const reasons = [
    ...(isCut && !allowed.includes('cut') ? [`does not fit in type of ${SIZE_LEAST_PT} pt`] : []),
    ...(missing.length > 0 && !allowed.includes('glyphs')
      ? [
          `has characters that cannot be printed, ${missing.slice(0, MISSING_MAX).map(codePointOf).join(' ')}${more}`,
        ]
      : []),
  ];
  return `"${shorten(caption)}" ${reasons.join(', and ')}`;
};

/**
 * Looks at the captions of codes in a thread of the lowest priority.
 *
 * @param onStep Called after some captions with the time that they took in the thread, and awaited.
 */
export const checkCaptions = async (
  sheet: Sheet,
  codes: AsyncIterable<Captioned>,
  onStep: (workedMs: number) => Promise<void> | void = () => {},
): Promise<CaptionReport> => {
  const lost = { cut: 0, glyphs: 0 };
  const faults: string[] = [];
  let refused = 0;
  const { caption, allow } = sheet;
  if (caption === null) return { lost, refused, faults };
  const thread = startSheetThread(sheet, '');
  let step: { readonly known: string; readonly text: string }[] = [];

  const look = async (): Promise<void> => {
    const { losses, workedMs } = await thread.ask({
      kind: 'captions',
      captions: step.map(({ text }) => text),
    });
    for (const [place, loss] of losses.entries()) {
      if (loss === null) continue;
      const isMissing = loss.missing.length > 0;
      if (loss.isCut) lost.cut += 1;
      if (isMissing) lost.glyphs += 1;
      if ((!loss.isCut || allow.includes('cut')) && (!isMissing || allow.includes('glyphs'))) continue;
      refused += 1;
      const { known, text } = step[place]!;
      if (faults.length < FAULTS_MAX) faults.push(`${known}: ${tell(text, loss, allow)}`);
    }
    step = [];
    await onStep(workedMs);
  };

  try {
    for await (const { known, values } of codes) {
      step.push({ known, text: writeCaption(caption, values) });
      if (step.length === STEP) await look();
    }
    if (step.length > 0) await look();
  } finally {
    await thread.close();
  }
  return { lost, refused, faults };
};
