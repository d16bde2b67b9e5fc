import type { FileFormat } from '../../workers/lists.ts';
import type { Rendered } from '../../workers/protocol.ts';
import type { DrawnFrom, Redraw, Sketch } from '../generate/redraw.ts';
import type { FileSize } from '../generate/request/file-options.ts';
import { drawPatiently, type NotDrawn } from '../render/outcome.ts';
import { type WebpWriter, writePatiently } from '../render/webp.ts';
import { isOk, ok, type Result, refused } from '../result.ts';

/** Successive waits for room in the render queue: about half a minute in total. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

/** A picture, or why it cannot be drawn, for the owner of its code. */
export type DrawnPicture = Result<Rendered, string>;

const tell = (fault: NotDrawn): string =>
  fault.reason === 'unfit'
    ? `${fault.fault.field}: ${fault.fault.message}`
    : 'the service failed to draw it twice; download it again';

/**
 * Draws pictures and returns them in order. One cannot be drawn, for example, when a longer `PUBLIC_URL` no longer fits
 * its code.
 *
 * @throws When nothing can be drawn at the moment.
 */
const drawSketches = async (
  redraw: Redraw,
  accountId: string,
  sketches: readonly ReturnType<Redraw['sketch']>[],
): Promise<readonly DrawnPicture[]> => {
  const drawable = sketches.filter(isOk).map(({ value }) => value);
  const draw = (some: readonly Sketch[]) => redraw.drawAll(accountId, some);
  const outcomes = (await drawPatiently(drawable, PAUSES_MS, draw)).values();
  return sketches.map((sketch) => {
    if (!sketch.ok) return refused(tell({ reason: 'unfit', fault: sketch.fault }));
    const outcome = outcomes.next().value!;
    return outcome.ok ? outcome : refused(tell(outcome.fault));
  });
};

/** Returns the PNG of each code in order, as `drawSketches` does. */
export const drawPictures = (
  redraw: Redraw,
  accountId: string,
  codes: readonly DrawnFrom[],
): Promise<readonly DrawnPicture[]> =>
  drawSketches(
    redraw,
    accountId,
    codes.map((code) => redraw.sketch(code, 'png')),
  );

/** What an archive contains for each code. */
export interface ArchiveFiles extends FileSize {
  /** At least one, without duplicates. */
  readonly formats: readonly FileFormat[];
}

/** What drawing files needs. */
export interface DrawingParts {
  readonly redraw: Redraw;
  readonly webp: Pick<WebpWriter, 'write'>;
  readonly freeWork: { spend(accountId: string, drawnMs: number): void };
}

/**
 * Returns the files of each code in order: one for each format, or why there is none.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawFiles = async (
  parts: DrawingParts,
  accountId: string,
  codes: readonly DrawnFrom[],
  { formats, widthPx, print }: ArchiveFiles,
): Promise<readonly (readonly DrawnPicture[])[]> => {
  const spend = (drawnMs: number): void => parts.freeWork.spend(accountId, drawnMs);
  const sketches = codes.flatMap((code) =>
    formats.map((format) => parts.redraw.sketch(code, format, widthPx, print)),
  );
  const pictures = (await drawSketches(parts.redraw, accountId, sketches)).values();
  const files: DrawnPicture[][] = [];
  for (const _ of codes) {
    const ofCode: DrawnPicture[] = [];
    for (const format of formats) {
      const picture = pictures.next().value!;
      if (format !== 'webp' || !picture.ok) {
        ofCode.push(picture);
        continue;
      }
      const bytes = await writePatiently(parts.webp, picture.value.bytes, accountId, spend);
      ofCode.push(ok({ ...picture.value, bytes }));
    }
    files.push(ofCode);
  }
  return files;
};
