/** Draws the rows of a piece on the render threads, behind all other work. */
import { createHmac } from 'node:crypto';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Rendered, RenderTask } from '../../../workers/protocol.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import { drawnFormat } from '../../generate/file.ts';
import { type PlannedTask, planTask } from '../../generate/task.ts';
import { writePatiently } from '../../generate/webp.ts';
import { slugOf } from '../../links/slug.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { drawPatiently, type RenderOutcome } from '../../render/outcome.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { layOutRow } from '../rows/options.ts';
import type { Row } from '../rows/row.ts';
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
  readonly found: FoundLogo | null;
}

/** Returns the slug that the code of a row encodes; `null` when the row is not dynamic. */
export const encodedSlug = ({ slug, ownSlug }: Sketch): string | null => ownSlug?.slug ?? slug;

/** Why a row was not made. */
export interface RowFailure {
  readonly field: string;
  readonly message: string;
  /** What is at fault. `grade`: the picture is below the batch's minimum grade. */
  readonly cause: 'row' | 'service' | 'grade';
}

/** The files of a row, one in each format of its batch. */
export type Drawn = Result<readonly Rendered[], RowFailure>;

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

/** Returns why a row was not made. */
export const toFailure = (outcome: RenderOutcome & { readonly ok: false }): RowFailure =>
  outcome.fault.reason === 'unfit' ? { ...outcome.fault.fault, cause: 'row' } : CRASHED;

/** Options for drawing pictures. */
export interface DrawOptions {
  readonly accountId: string;
  readonly formats: readonly FileFormat[];
  /** The estimated time of a row without a logo. */
  readonly rowMs: number;
  shortUrl(slug: string): string;
}

type Planned = Result<PlannedTask, RowFailure>;

const plan = async (
  { fitLogo }: WorkParts,
  sketch: Sketch,
  format: RenderTask['format'],
  { formats, rowMs, shortUrl }: DrawOptions,
): Promise<Planned> => {
  const { row, found } = sketch;
  const slug = encodedSlug(sketch);
  const text = slug === null ? row.content : shortUrl(slug);
  const laid = layOutRow(text, row, format);
  if (!laid.ok) return refused({ ...laid.fault, cause: 'row' });
  // A row without a logo was planned when it was validated, but perhaps with another number.
  const isPlanned = sketch.ownSlug === null && !(row.isNumbered && row.design.symbol.gs1 !== undefined);
  if (found === null && formats.length === 1 && isPlanned)
    return ok({ task: { text, format, logo: null, ...laid.value }, estimatedMs: rowMs });
  const planned = await planTask(fitLogo, { text, found, format, ...laid.value });
  return planned.ok ? planned : refused({ ...planned.fault, cause: 'row' });
};

/** Draws tasks in chunks. @throws When the pool closes, or is too busy for half a minute. */
export const drawTasks = async (
  { pool }: Pick<WorkParts, 'pool'>,
  accountId: string,
  tasks: readonly PlannedTask[],
): Promise<readonly RenderOutcome[]> => {
  const draw = async (planned: readonly PlannedTask[]) => {
    const { outcomes } = await pool.render({
      tasks: planned.map(({ task }) => task),
      estimatedMs: planned.map(({ estimatedMs }) => estimatedMs),
      accountId,
      kind: 'batch',
      deadlineMs: Date.now() + WAIT_MS,
    });
    return outcomes;
  };
  const outcomes: RenderOutcome[] = [];
  for (let at = 0; at < tasks.length; at += TOGETHER)
    outcomes.push(...(await drawPatiently(tasks.slice(at, at + TOGETHER), PAUSES_MS, draw)));
  return outcomes;
};

/** Returns the next drawn picture, if its task could be planned. */
const toPicture = (planned: Planned, outcomes: Iterator<RenderOutcome>): Result<Rendered, RowFailure> => {
  if (!planned.ok) return planned;
  const outcome: RenderOutcome = outcomes.next().value;
  return outcome.ok ? outcome : refused(toFailure(outcome));
};

/** Returns the files of a row in the order of their formats. */
const toFiles = async (
  { webp }: WorkParts,
  accountId: string,
  formats: readonly FileFormat[],
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

/**
 * Draws the files of rows, in their order.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawRows = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  options: DrawOptions,
): Promise<readonly Drawn[]> => {
  const { accountId, formats } = options;
  const drawnFormats = [...new Set(formats.map(drawnFormat))];
  const planned = await Promise.all(
    sketches.flatMap((sketch) => drawnFormats.map((format) => plan(parts, sketch, format, options))),
  );
  const tasks = planned.filter(isOk).map(({ value }) => value);
  const outcomes = (await drawTasks(parts, accountId, tasks)).values();
  const pictures = planned.map((task) => toPicture(task, outcomes)).values();
  const drawn: Drawn[] = [];
  for (const _ of sketches) {
    const ofRow = new Map(drawnFormats.map((format) => [format, pictures.next().value!]));
    drawn.push(await toFiles(parts, accountId, formats, ofRow));
  }
  return drawn;
};
