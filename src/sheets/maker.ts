/**
 * Makes documents of sheets from codes, as fast as they are read, in a thread. Two pages of codes are in memory at a
 * time.
 */
import { createRequire } from 'node:module';
import type { ParameterName } from '../../workers/lists.ts';
import type { Design, Fault, Logo } from '../../workers/protocol.ts';
import type {
  SheetAnswer,
  SheetLabel,
  SheetOrder,
  SheetPage,
  SheetSettings,
} from '../../workers/sheets/protocol.ts';
import { type Caption, writeCaption } from '../csv/caption.ts';
import { type AskedThread, startThread } from '../execution/asked-thread.ts';
import { backgroundArea, cellAt, labelArea } from './grid.ts';
import type { Sheet } from './sheet.ts';

/** DejaVu Sans Condensed: Latin, Greek, Cyrillic and many signs. Its licence permits redistribution and embedding. */
const FONT_PATH = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf');
const MAX_HEAP_MB = 256;

/** What of a sheet its thread needs. */
export type ThreadSheet = Pick<
  Sheet,
  'format' | 'outsetMm' | 'bleedMm' | 'label' | 'dpi' | 'isForTill' | 'marks'
> & { readonly grid: Pick<Sheet['grid'], 'widthMm' | 'heightMm'> };

/** Starts the thread of one document, which has the lowest priority. @param title That of the document's properties. */
export const startSheetThread = (sheet: ThreadSheet, title: string): AskedThread<SheetOrder, SheetAnswer> => {
  const { format, grid, outsetMm, bleedMm, label, dpi, isForTill, marks } = sheet;
  const { widthMm, heightMm } = grid;
  const workerData: SheetSettings = {
    format,
    title,
    widthMm,
    heightMm,
    outsetMm,
    bleedMm,
    label,
    dpi,
    isForTill,
    marks,
    fontPath: FONT_PATH,
  };
  const module = new URL('../../workers/sheets/worker', import.meta.url);
  return startThread<SheetOrder, SheetAnswer>(module, { workerData, maxHeapMb: MAX_HEAP_MB });
};

/** A code for a label, and its copies. */
export interface SheetCode {
  /** What the caption may name. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** `null` for a code that cannot be drawn: its labels say so in its place. */
  readonly picture: {
    readonly text: string;
    readonly design: Design;
    readonly logo: { readonly key: string; load(): Promise<Logo> } | null;
  } | null;
}

/** A document to make. */
export interface SheetJob {
  readonly sheet: Sheet;
  /** The title in the document's properties; languages of label printers have none. */
  readonly title: string;
  readonly codes: AsyncIterable<SheetCode>;
  /** Called before each page is drawn; the page waits for it. */
  beforePage?(): Promise<void>;
  /** Called after each page, with the number of labels on it and the time that it took in the thread. */
  onPage?(labels: number, workedMs: number): void;
  /**
   * Called for each label without a code, with its place among all labels from 0; `null` as `picture` says. What it throws
   * ends the document. Without it, such a label ends the document.
   */
  onFault?(place: number, fault: Fault | null): void;
  /** Called with what makes codes of a page read worse than grade 4 as a label printer prints them. */
  onWarnings?(warnings: readonly ParameterName[]): void;
}

interface Labels extends SheetPage {
  /** The place of each label among all labels. */
  readonly places: readonly number[];
}

type LabelStub = Omit<SheetLabel, 'xMm' | 'yMm' | 'background'>;

/** Returns a function that makes the label of a code, and adds its logo to those of a page unless an earlier page has it. */
export const createStubs = (caption: Caption | null) => {
  const sent = new Set<string>();
  return async ({ values, picture }: SheetCode, logos: Map<string, Logo>): Promise<LabelStub> => {
    const logo = picture?.logo ?? null;
    if (logo !== null && !sent.has(logo.key)) {
      logos.set(logo.key, await logo.load());
      sent.add(logo.key);
    }
    return {
      text: picture?.text ?? '',
      design: picture?.design ?? null,
      logo: logo?.key ?? null,
      missing: `no code: ${values.index ?? ''}`,
      caption: caption === null ? '' : writeCaption(caption, values),
    };
  };
};

const refuseLabel = (place: number): void => {
  throw new Error(`the code of label ${place + 1} cannot be drawn`);
};

/** Labels of the next pages, in the order of their numbers. */
interface Block {
  readonly stubs: readonly LabelStub[];
  /** Logos that no earlier block had. */
  readonly logos: ReadonlyMap<string, Logo>;
  /** The number of the first label, from 0. */
  readonly from: number;
}

/** Yields the labels of one page each, or of the sheets of one pile each. */
async function* inBlocks({ sheet, codes }: SheetJob): AsyncGenerator<Block, void> {
  const { grid, caption, startAt, stack, copies } = sheet;
  const places = grid.columns * grid.rows * stack;
  const toStub = createStubs(caption);
  let stubs: LabelStub[] = [];
  let logos = new Map<string, Logo>();
  let from = 0;
  let room = places - (startAt - 1);
  for await (const code of codes) {
    const stub = await toStub(code, logos);
    for (let copy = 0; copy < copies; copy += 1) {
      stubs.push(stub);
      if (stubs.length < room) continue;
      yield { stubs, logos, from };
      from += stubs.length;
      [stubs, logos, room] = [[], new Map(), places];
    }
  }
  if (stubs.length > 0) yield { stubs, logos, from };
}

/**
 * Yields the pages of a block. In a pile the labels of one place follow each other from sheet to sheet, so that the piles
 * of all places, one put on the other after the cut, are in order. The last pile is as low as its labels allow.
 */
function* pagesOf({ sheet, onFault = refuseLabel }: SheetJob, block: Block): Generator<Labels, void> {
  const { grid, startAt, order, stack, bleedMm } = sheet;
  const { stubs, logos, from } = block;
  const depth = stack === 1 ? 1 : Math.ceil(stubs.length / (grid.columns * grid.rows));
  const skipped = from === 0 ? startAt - 1 : 0;
  for (let page = 0; page < depth; page += 1) {
    const labels: SheetLabel[] = [];
    const places: number[] = [];
    for (let index = page; index < stubs.length; index += depth) {
      const stub = stubs[index]!;
      if (stub.design === null) onFault(from + index, null);
      const cell = cellAt(grid, order, skipped + labels.length);
      const { xMm, yMm } = labelArea(grid, cell);
      const background = bleedMm > 0 ? backgroundArea(grid, cell, bleedMm) : null;
      labels.push({ xMm, yMm, background, ...stub });
      places.push(from + index);
    }
    yield { labels, logos: page === 0 ? logos : NO_LOGOS, places };
  }
}

const NO_LOGOS: ReadonlyMap<string, Logo> = new Map();

/** Yields the labels page by page. */
async function* inPages(job: SheetJob): AsyncGenerator<Labels, void> {
  for await (const block of inBlocks(job)) yield* pagesOf(job, block);
}

/**
 * Makes a document and yields its bytes. A page is drawn while the next one is collected and the previous one is read,
 * never further ahead. When the reader stops, nothing more is drawn.
 *
 * @throws What reading the codes and `onFault` throw; {Error} when the thread fails, or a code cannot be drawn.
 */
export async function* makeSheets(job: SheetJob): AsyncGenerator<Uint8Array, void> {
  const thread = startSheetThread(job.sheet, job.title);
  let underWay: { readonly page: Labels; readonly answer: Promise<SheetAnswer> } | null = null;

  const finish = async (): Promise<Uint8Array> => {
    const { page, answer } = underWay!;
    const { bytes, faults, warnings, workedMs } = await answer;
    for (const { place, fault } of faults) (job.onFault ?? refuseLabel)(page.places[place]!, fault);
    job.onWarnings?.(warnings);
    job.onPage?.(page.labels.length, workedMs);
    return bytes;
  };

  try {
    for await (const page of inPages(job)) {
      const bytes: Uint8Array | null = underWay && (await finish());
      await job.beforePage?.();
      const { labels, logos } = page;
      const answer = thread.ask({ kind: 'page', page: { labels, logos } });
      // It is awaited with the next page; until then a failure must not count as unhandled.
      answer.catch(() => {});
      underWay = { page, answer };
      if (bytes !== null && bytes.length > 0) yield bytes;
    }
    if (underWay !== null) yield await finish();
    yield (await thread.ask({ kind: 'end' })).bytes;
  } finally {
    await thread.close();
  }
}
