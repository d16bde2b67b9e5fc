/** Draws the file of one picture in any format, repaired first if its call asks for that. */
import type { TextLoss } from '../../workers/protocol.ts';
import { okOrThrow } from '../result.ts';
import { drawOne } from './draw.ts';
import { type FileSpec, redesign } from './file.ts';
import type { Call, Parts } from './parts.ts';
import type { Subject } from './plan.ts';
import type { Graded } from './quality/graded.ts';
import { type Mended, repairOne } from './quality/repair.ts';
import { refuse } from './refusals.ts';

/** A file of a picture. */
export interface DrawnFile extends Graded, Mended {
  readonly bytes: Uint8Array;
  /** What its caption loses; absent: nothing. */
  readonly lost?: readonly TextLoss[];
}

/**
 * Draws a file, repaired first if its call asks for that. A WebP is written from a PNG.
 *
 * @throws {AppError} 400 when it cannot be drawn, 503 when the service could not draw it in time.
 */
export const drawFile = async (
  parts: Parts,
  call: Call,
  subject: Subject,
  file: FileSpec,
): Promise<DrawnFile> => {
  const { design, repaired } = await repairOne(parts, call, subject);
  const toDraw = repaired === '' ? subject : okOrThrow(redesign(subject, design, file), refuse);
  const { bytes: drawn, grade, warnings, lost } = await drawOne(parts, call, toDraw);
  const { accountId, timings } = call;
  const bytes = file.format === 'webp' ? await parts.webp.write(drawn, accountId, timings) : drawn;
  return { bytes, grade, warnings, design, repaired, ...(lost && { lost }) };
};
