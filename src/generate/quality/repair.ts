/** Repairs designs on the render threads, which have all that grading needs. */
import type { Change, Design, Grade, Rendered, Repair } from '../../../workers/protocol.ts';
import { drawAll, drawnOrThrow, type PictureTask, type QueueTask } from '../draw.ts';
import type { Call, Parts } from '../parts.ts';
import type { Subject } from '../plan.ts';

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
export const toRepairTask = ({ task }: PictureTask, minGrade: Grade): QueueTask => ({
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
