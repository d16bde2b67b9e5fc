/** A PDF of one page with a text and lines, in the font of captions. */
import type { Area, Mark, SheetLabel } from '../../workers/sheets/protocol.ts';
import { startSheetThread } from './maker.ts';

/** Lengths are in millimetres from the top left corner. */
export interface TextPage {
  readonly title: string;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Where the text stands. Its type is at most 9 points high, and shrinks to 4. */
  readonly area: Area;
  readonly text: string;
  readonly marks: readonly Mark[];
}

const TYPE = { sizePt: 9, leastPt: 4, linesMax: 60, align: 'left' } as const;
const NOTHING = { text: '', design: null, logo: null, missing: '', background: null } as const;

/** Draws a page in a thread of its own. Returns the file, and the time that it took in the thread. */
export const drawTextPage = async ({
  title,
  widthMm,
  heightMm,
  area,
  text,
  marks,
}: TextPage): Promise<{ readonly bytes: Buffer; readonly workedMs: number }> => {
  const thread = startSheetThread(
    {
      format: 'pdf',
      grid: { widthMm, heightMm },
      outsetMm: 0,
      bleedMm: 0,
      dpi: null,
      isForTill: false,
      label: { code: area, caption: { ...area, ...TYPE } },
      marks,
    },
    title,
  );
  const label: SheetLabel = { ...NOTHING, xMm: 0, yMm: 0, caption: text };
  try {
    const page = await thread.ask({ kind: 'page', page: { labels: [label], logos: new Map() } });
    const end = await thread.ask({ kind: 'end' });
    return { bytes: Buffer.concat([page.bytes, end.bytes]), workedMs: page.workedMs + end.workedMs };
  } finally {
    await thread.close();
  }
};
