/**
 * Draws the rows of a piece on the render threads, behind all other work: repaired if their batch asks for that, and
 * refused below its minimum grade.
 */

import { createHmac } from 'node:crypto';
import { estimateBarcodeMs } from '../../../workers/barcode/protocol.ts';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Fault, Rendered, RenderTask } from '../../../workers/protocol.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import { planTask, type QueueTask } from '../../generate/draw.ts';
import { drawnFormat } from '../../generate/file.ts';
import type { GradeTerms } from '../../generate/parts.ts';
import { gradeFault } from '../../generate/quality/graded.ts';
import { toMended, toRepairTask } from '../../generate/quality/repair.ts';
import { slugOf } from '../../links/slug.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { drawPatiently, type RenderOutcome } from '../../render/outcome.ts';
import { writePatiently } from '../../render/webp.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { type RowBarcode, toRowTask } from '../rows/barcodes.ts';
import { layOutRow } from '../rows/options.ts';
import type { Row } from '../rows/row.ts';
import { inOptions } from '../rows/schema.ts';
import type { WorkParts } from './parts.ts';

/**
 * Returns the slug of a row: deterministic, but indistinguishable from random without the secret. A piece that is made
 * again gets the same short links.
 *
 * @param attempt From 0, incremented each time the slug turned out to be taken.
 */
export const slugOfRow = (secret: Buffer, row: number, attempt: number): string =>
  slugOf(createHmac('sha256', secret).update(`${row}.${attempt}`).digest());

/** A row about to be drawn. */
export interface Sketch {
  readonly row: Row;
  /** The slug that its link is created with; `null` when the row is not dynamic. */
  readonly slug: string | null;
  /** The slug that the caller chose for it; `null`: none. */
  readonly ownSlug: OwnSlug | null;
  /** What the code encodes: the content, or the short link of a dynamic row. */
  readonly text: string;
  readonly found: FoundLogo | null;
}

/** Why a row was not made. */
export interface RowFailure extends Fault {
  /** What is at fault. `grade`: the picture is below the batch's minimum grade. */
  readonly cause: 'row' | 'service' | 'grade';
}

/** The files of a row, one in each format of its batch. */
export type Drawn = Result<readonly Rendered[], RowFailure>;

/** What a batch asks of its files. */
export interface DrawOptions {
  readonly accountId: string;
  readonly formats: readonly FileFormat[];
  readonly terms: GradeTerms;
  /** The estimated time of a row without a logo. */
  readonly rowMs: number;
}

const CRASHED: RowFailure = {
  field: 'row',
  message: 'the renderer failed on this picture',
  cause: 'service',
};

/** Pictures that are submitted to the pool together. */
const TOGETHER = 128;
/** How long a picture may wait behind those of others before it is resubmitted. */
const WAIT_MS = 60_000;
const PAUSES_MS: readonly number[] = Array<number>(60).fill(500);

const toPicture = (outcome: RenderOutcome): Result<Rendered, RowFailure> => {
  if (outcome.ok) return outcome;
  return refused(
    outcome.fault.reason === 'unfit' ? { ...inOptions(outcome.fault.fault), cause: 'row' } : CRASHED,
  );
};

/**
 * Runs tasks in chunks, and returns their pictures in order, or why there is none.
 *
 * @throws When the pool closes, or is too busy for half a minute.
 */
const runTasks = async (
  { pool }: Pick<WorkParts, 'pool'>,
  accountId: string,
  planned: readonly Result<QueueTask, Fault>[],
): Promise<readonly Result<Rendered, RowFailure>[]> => {
  const draw = async (some: readonly QueueTask[]) => {
    const { outcomes } = await pool.render({
      tasks: some.map(({ task }) => task),
      estimatedMs: some.map(({ estimatedMs }) => estimatedMs),
      accountId,
      kind: 'batch',
      deadlineMs: Date.now() + WAIT_MS,
    });
    return outcomes;
  };
  const tasks = planned.filter(isOk).map(({ value }) => value);
  const outcomes: RenderOutcome[] = [];
  for (let at = 0; at < tasks.length; at += TOGETHER)
    outcomes.push(...(await drawPatiently(tasks.slice(at, at + TOGETHER), PAUSES_MS, draw)));
  const drawn = outcomes.values();
  return planned.map((each) =>
    each.ok ? toPicture(drawn.next().value!) : refused({ ...each.fault, cause: 'row' }),
  );
};

/** Repairs the designs of rows. Sizes in millimetres stay as requested. */
const repairRows = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  { accountId, terms }: DrawOptions,
): Promise<readonly Result<Sketch, RowFailure>[]> => {
  const planned = await Promise.all(
    sketches.map(async ({ row, text, found }): Promise<Result<QueueTask, Fault>> => {
      const task = await planTask(parts.fitLogo, { text, design: row.design, found, format: 'png' });
      return task.ok ? ok(toRepairTask(task.value, terms.minGrade)) : task;
    }),
  );
  const repaired = await runTasks(parts, accountId, planned);
  return sketches.map((sketch, place) => {
    const each = repaired[place]!;
    if (!each.ok) return each;
    return ok({ ...sketch, row: { ...sketch.row, design: toMended(each.value).design } });
  });
};

const planBarcode = (
  barcode: RowBarcode,
  text: string,
  format: RenderTask['format'],
): Result<QueueTask, Fault> => {
  const task = toRowTask(barcode, text, format);
  return task.ok ? ok({ task: task.value, estimatedMs: estimateBarcodeMs(task.value) }) : task;
};

const planFile = async (
  { fitLogo }: WorkParts,
  { row, text, found, ownSlug }: Sketch,
  format: RenderTask['format'],
  { formats, rowMs }: DrawOptions,
): Promise<Result<QueueTask, Fault>> => {
  if (row.barcode !== null) return planBarcode(row.barcode, text, format);
  const laid = layOutRow(text, row, format);
  if (!laid.ok) return laid;
  // A row without a logo was planned when it was validated, but perhaps with another number.
  const isPlanned = ownSlug === null && !(row.isNumbered && row.design.symbol.gs1 !== undefined);
  if (found === null && formats.length === 1 && isPlanned)
    return ok({ task: { text, logo: null, ...laid.value }, estimatedMs: rowMs });
  return planTask(fitLogo, { text, found, ...laid.value });
};

/** Returns the files of a row in the order of their formats. */
const toFiles = async (
  { webp }: WorkParts,
  { accountId, formats }: DrawOptions,
  pictures: ReadonlyMap<RenderTask['format'], Result<Rendered, RowFailure>>,
): Promise<Drawn> => {
  const files: Rendered[] = [];
  for (const format of formats) {
    const picture = pictures.get(drawnFormat(format))!;
    if (!picture.ok) return picture;
    const { bytes } = picture.value;
    const isWebp = format === 'webp';
    files.push(
      isWebp ? { ...picture.value, bytes: await writePatiently(webp, bytes, accountId) } : picture.value,
    );
  }
  return ok(files);
};

/** Returns the file with the lowest grade, which is the grade of the code. */
export const gradeOf = (pictures: readonly Rendered[]): Rendered =>
  pictures.reduce((lowest, picture) => (picture.grade < lowest.grade ? picture : lowest));

/** Fails a row that has a file below the grade. */
const refuseBelow = (drawn: Drawn, terms: GradeTerms): Drawn => {
  const fault = drawn.ok ? gradeFault(gradeOf(drawn.value), terms) : null;
  return fault === null ? drawn : refused({ ...fault, cause: 'grade' });
};

const drawFiles = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  options: DrawOptions,
): Promise<readonly Drawn[]> => {
  const formats = [...new Set(options.formats.map(drawnFormat))];
  const planned = await Promise.all(
    sketches.flatMap((sketch) => formats.map((format) => planFile(parts, sketch, format, options))),
  );
  const pictures = (await runTasks(parts, options.accountId, planned)).values();
  const drawn: Drawn[] = [];
  for (const _ of sketches) {
    const ofRow = new Map(formats.map((format) => [format, pictures.next().value!]));
    drawn.push(refuseBelow(await toFiles(parts, options, ofRow), options.terms));
  }
  return drawn;
};

/** A row in the design in which it is drawn, and its files. */
export interface DrawnRow {
  /** `null` when its design could not be repaired. */
  readonly sketch: Sketch | null;
  readonly drawn: Drawn;
}

/**
 * Draws the files of rows, in their order.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawRows = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  options: DrawOptions,
): Promise<readonly DrawnRow[]> => {
  const isRepaired = ({ row }: Sketch): boolean => options.terms.repair && row.barcode === null;
  const repaired = (await repairRows(parts, sketches.filter(isRepaired), options)).values();
  const ready = sketches.map((sketch) => (isRepaired(sketch) ? repaired.next().value! : ok(sketch)));
  const drawable = ready.filter(isOk).map(({ value }) => value);
  const files = (await drawFiles(parts, drawable, options)).values();
  return ready.map((each) =>
    each.ok ? { sketch: each.value, drawn: files.next().value! } : { sketch: null, drawn: each },
  );
};
