/** Draws the file of one picture: repaired if its call asks for that, laid out, and in its format. */
import type { Design } from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { draw, refuseFile } from './drawing.ts';
import { drawnFormat, type FileTerms, type LaidOut, layOutAgain } from './file.ts';
import type { Parts, Timings } from './parts.ts';
import type { Graded, Terms } from './quality/graded.ts';
import { repairOne } from './repair/repair.ts';
import { planTask } from './task.ts';

/** What a call for one picture asks for in addition to its body. */
export interface Wanted {
  readonly file: FileTerms;
  readonly terms: Terms;
  readonly timings: Timings;
}

/** A picture, before its layout and its repair. */
interface Asked {
  readonly text: string;
  readonly laid: LaidOut;
  readonly found: FoundLogo | null;
}

/** A picture as a render thread draws it. */
export interface DrawnFile extends Graded {
  readonly bytes: Uint8Array;
  /** After its repair. */
  readonly design: Design;
  /** What a repair changed, as the header `Tessera-Repaired` has it; '' when nothing was changed. */
  readonly repaired: string;
}

/**
 * Draws one picture. A WebP is drawn as a PNG; `inFormat` converts it later, so that no refused picture is converted.
 *
 * @throws {AppError} 400 when it cannot be drawn, 503 when the service could not draw it in time.
 */
export const drawFile = async (
  parts: Parts,
  accountId: string,
  { text, laid, found }: Asked,
  { file, terms, timings }: Wanted,
): Promise<DrawnFile> => {
  const asked = { text, design: laid.design, found };
  const { design, repaired } = await repairOne(parts, accountId, asked, terms, timings);
  const final = layOutAgain(text, laid, design, file);
  if (!final.ok) throw refuseFile(final.fault);
  const planned = await planTask(parts.fitLogo, {
    ...{ text, found, format: drawnFormat(file.format) },
    ...final.value,
  });
  if (!planned.ok) throw refuseFile(planned.fault);
  const { bytes, grade, warnings } = await draw(
    parts,
    accountId,
    planned.value,
    found?.sha256 ?? null,
    timings,
  );
  return { bytes, grade, warnings, design, repaired };
};

/** Returns drawn bytes in the format of their call. @throws {AppError} 503 when that took too long. */
export const inFormat = (
  { webp }: Pick<Parts, 'webp'>,
  bytes: Uint8Array,
  accountId: string,
  { file, timings }: Wanted,
): Uint8Array | Promise<Uint8Array> =>
  file.format === 'webp' ? webp.write(bytes, accountId, timings) : bytes;
