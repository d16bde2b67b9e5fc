/** Reads printed codes under the conditions of a verification, and compares that with what their grades promise. */
import { CONDITIONS, type Condition, underCondition } from '../../../src/reading/conditions.ts';
import { READERS, type Reader } from '../../../src/reading/read.ts';
import { readGrayTwice } from '../../support/pictures/readers.ts';
import type { DotPrint, Way } from './prints.ts';

/** One look of one reader at one print. */
export interface Look {
  readonly print: DotPrint;
  readonly condition: Condition;
  readonly reader: Reader;
  readonly isRead: boolean;
}

/** Reads prints with both readers under every condition. */
export const readPrints = async (prints: readonly DotPrint[]): Promise<readonly Look[]> => {
  const looks: Look[] = [];
  for (const print of prints) {
    for (const condition of CONDITIONS) {
      const { widthPx, heightPx, data } = underCondition(print.page, condition, print.modulePx);
      const texts = await readGrayTwice({ widthPx, heightPx, data });
      for (const reader of READERS)
        looks.push({ print, condition, reader, isRead: texts[reader] === print.text });
    }
  }
  return looks;
};

/** What grade 4 promises of a print in black: the least share of readings. `small` has no promise. */
const PROMISED: Readonly<Partial<Record<Condition, number>>> = { sharp: 1, blurred: 0.99 };

/** Returns the share of looks that read, 1 when there are none. */
export const readShare = (looks: readonly Look[]): number =>
  looks.length === 0 ? 1 : looks.filter(({ isRead }) => isRead).length / looks.length;

/** A condition under which prints of grade 4 are read less often than promised. */
export interface Broken {
  readonly way: Way;
  readonly condition: Condition;
  readonly share: number;
}

/** Returns the promises that looks break. A code that a device screens has none: docs/printing.md, "Colours". */
export const brokenPromises = (looks: readonly Look[]): readonly Broken[] =>
  (['labels', 'black'] as const).flatMap((way) =>
    CONDITIONS.flatMap((condition) => {
      const promised = PROMISED[condition];
      const share = readShare(
        looks.filter(
          (look) => look.condition === condition && look.print.way === way && look.print.grade === 4,
        ),
      );
      return promised === undefined || share >= promised ? [] : [{ way, condition, share }];
    }),
  );
