/** Repairs designs on the render threads, which have all that grading needs, and draws files in them. */
import type { Change, Design, Grade, Rendered, Repair } from '../../../workers/protocol.ts';
import { okOrThrow } from '../../result.ts';
import { drawAll, drawnOrThrow, drawOne, type QueueTask } from '../draw.ts';
import { type FileSpec, redesign } from '../file.ts';
import type { Call, Parts } from '../parts.ts';
import type { Subject } from '../plan.ts';
import { refuse } from '../refusals.ts';
import type { Graded } from './graded.ts';

/** Writes changes as an RFC 8941 list of tokens, as the header `Tessera-Repaired` has them. '' without changes. */
export const serializeChanges = (changes: readonly Change[]): string =>
  changes.map(({ name, value }) => (value === null ? name : `${name};v=${value}`)).join(', ');

/** The fields of a request that changes set. */
export interface RepairOptions {
  /** `null`: leave it out. */
  readonly margin?: number | null;
  readonly qrOptions?: object;
  readonly imageOptions?: object;
  readonly cornersSquareOptions?: object;
  readonly cornersDotOptions?: object;
}

/** Returns the fields that a caller would set to make the changes; the other fields stay. */
export const toRepairOptions = (changes: readonly Change[]): RepairOptions => {
  const options: { -readonly [Name in keyof RepairOptions]: RepairOptions[Name] } = {};
  for (const { name, value } of changes) {
    if (name === 'finder-centre') options.cornersDotOptions = { type: value };
    else if (name === 'finder-ring') options.cornersSquareOptions = { type: value };
    else if (name === 'quiet-zone') options.margin = value;
    else if (name === 'level') options.qrOptions = { errorCorrectionLevel: value };
    else if (name === 'logo-size') options.imageOptions = { ...options.imageOptions, imageSize: value };
    else options.imageOptions = { ...options.imageOptions, margin: value };
  }
  return options;
};

/** Milliseconds to repair a picture, on one 2.5 GHz core: with a logo its sizes are tried. */
export const REPAIR_MS = { plain: 1, withLogo: 5 } as const;

/** Returns a task that repairs a picture in place of drawing it: its bytes are empty, and it has a `repair`. */
export const toRepairTask = ({ task }: QueueTask, minGrade: Grade): QueueTask => ({
  task: { ...task, repair: minGrade },
  estimatedMs: task.logo === null ? REPAIR_MS.plain : REPAIR_MS.withLogo,
});

/** Returns the repair of a thread's answer. */
export const repairOf = ({ repair }: Rendered): Repair => {
  if (repair === undefined) throw new Error('a render thread gave no repair');
  return repair;
};

/** A design that is drawn, and what a repair changed in it, as the header `Tessera-Repaired` has it. */
export interface Mended {
  readonly design: Design;
  /** '' when nothing was changed. */
  readonly repaired: string;
}

/** Returns what is drawn after a repair. */
export const toMended = (rendered: Rendered): Mended => {
  const { design, changes } = repairOf(rendered);
  return { design, repaired: serializeChanges(changes) };
};

/**
 * Repairs one picture when its call asks for that; otherwise its design is unchanged.
 *
 * @throws {AppError} 400 when it cannot be drawn, 503 when the service could not repair it in time.
 */
export const repairOne = async (
  parts: Pick<Parts, 'pool' | 'fitLogo' | 'deadlineMs'>,
  call: Call,
  { text, design, found }: Pick<Subject, 'text' | 'design' | 'found'>,
): Promise<Mended> => {
  const { repair, minGrade } = call.terms;
  if (!repair) return { design, repaired: '' };
  const subject = { text, design, found, format: 'png' } as const;
  const [outcome] = await drawAll(parts, call, 'single', [subject], (task) => toRepairTask(task, minGrade));
  return toMended(drawnOrThrow(outcome!, parts.pool));
};

/** A file of a picture. */
export interface DrawnFile extends Graded, Mended {
  readonly bytes: Uint8Array;
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
  const { bytes: drawn, grade, warnings } = await drawOne(parts, call, toDraw);
  const { accountId, timings } = call;
  const bytes = file.format === 'webp' ? await parts.webp.write(drawn, accountId, timings) : drawn;
  return { bytes, grade, warnings, design, repaired };
};
