import type { FileFormat } from '../../workers/lists.ts';
import type { DrawnFrom, Redraw } from '../generate/redraw.ts';
import type { Print } from '../generate/request/print.ts';
import { type WebpWriter, writePatiently } from '../render/webp.ts';
import { ok } from '../result.ts';
import { type DrawnPicture, drawSketches } from './pictures.ts';

/** What an archive contains for each code. */
export interface ArchiveFiles {
  /** At least one, without duplicates. */
  readonly formats: readonly FileFormat[];
  readonly print: Print;
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
  { formats, print }: ArchiveFiles,
): Promise<readonly (readonly DrawnPicture[])[]> => {
  const spend = (drawnMs: number): void => parts.freeWork.spend(accountId, drawnMs);
  const sketches = codes.flatMap((code) =>
    formats.map((format) => parts.redraw.sketch(code, format, undefined, print)),
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
