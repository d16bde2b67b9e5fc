import type { FileFormat } from '../../workers/lists.ts';
import type { Rendered } from '../../workers/protocol.ts';
import type { DrawnFrom, Redraw } from '../generate/redraw.ts';
import type { Print } from '../generate/request/print.ts';
import { type WebpWriter, writePatiently } from '../generate/webp.ts';
import { drawSketches } from './pictures.ts';

/** What an archive contains for each code. */
export interface ArchiveFiles {
  /** At least one, without duplicates. */
  readonly formats: readonly FileFormat[];
  readonly print: Print;
}

/** A drawn file of a code. */
export interface DrawnFile {
  readonly format: FileFormat;
  readonly picture: Rendered;
}

/** What drawing files needs. */
export interface DrawingParts {
  readonly redraw: Redraw;
  readonly webp: Pick<WebpWriter, 'write'>;
  readonly freeWork: { spend(accountId: string, drawnMs: number): void };
}

/**
 * Returns the files of each code in order. A file that cannot be drawn is left out.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawFiles = async (
  parts: DrawingParts,
  accountId: string,
  codes: readonly DrawnFrom[],
  { formats, print }: ArchiveFiles,
): Promise<readonly (readonly DrawnFile[])[]> => {
  const spend = (drawnMs: number): void => parts.freeWork.spend(accountId, drawnMs);
  const sketches = codes.flatMap((code) =>
    formats.map((format) => parts.redraw.sketch(code, format, undefined, print)),
  );
  const pictures = (await drawSketches(parts.redraw, accountId, sketches)).values();
  const files: DrawnFile[][] = [];
  for (const _ of codes) {
    const ofCode: DrawnFile[] = [];
    for (const format of formats) {
      const picture = pictures.next().value!;
      if (picture === null) continue;
      const bytes =
        format === 'webp' ? await writePatiently(parts.webp, picture.bytes, accountId, spend) : picture.bytes;
      ofCode.push({ format, picture: { ...picture, bytes } });
    }
    files.push(ofCode);
  }
  return files;
};
