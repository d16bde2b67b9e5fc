/** Reports what pictures would be, without making or charging for them. Grading counts as free work. */
import type { Change, ErrorCorrectionLevel, Grade, Quality, Rendered } from '../../../workers/protocol.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { findLogos, type LinkRules, readyItems } from '../bulk/items.ts';
import { noTimings, type Parts, type Timings } from '../parts.ts';
import { inWords, tellNotDrawn } from '../refusals.ts';
import { toDesign } from '../request/design.ts';
import type { BulkItem, SingleRequest } from '../request/request.ts';
import { drawnOrThrow, okOrRefuse, prepareFree, refuseWhenFull, refuseWithoutRoom } from '../steps.ts';
import type { PictureTask, QueueTask } from '../task.ts';
import { NO_TERMS, type Terms } from './graded.ts';
import { type GradeParts, gradeAll, toGradeTask } from './grader.ts';
import { repairOf, toRepairTask } from './repair.ts';

/** What a picture would be. */
export interface Check {
  readonly quality: Quality;
  readonly version: number;
  readonly level: ErrorCorrectionLevel;
  /** Modules on a side of the symbol, without quiet zone. */
  readonly modules: number;
  /** Width of the picture in modules, including everything around the symbol. */
  readonly widthModules: number;
  /** What a repair would change, and the grade after it. Absent unless it was asked for. */
  readonly repair?: { readonly grade: Grade; readonly changes: readonly Change[] };
}

/** The parts that checks need. */
export interface CheckParts extends GradeParts, Pick<Parts, 'logos'> {
  readonly links: LinkRules;
}

const toCheck = ({ task }: PictureTask, { quality }: Rendered, repaired: Rendered | null): Check => {
  if (quality === undefined) throw new Error('a render thread gave no report');
  const { symbol, geometry } = task.plan;
  return {
    quality,
    version: symbol.version,
    level: symbol.level,
    modules: geometry.moduleCount,
    widthModules: task.design.widthPx / geometry.modulePx,
    ...(repaired && { repair: { grade: repaired.grade, changes: repairOf(repaired).changes } }),
  };
};

/** Returns tasks that grade, followed by those that repair the same pictures when that is asked for. */
const withRepairs = (tasks: readonly PictureTask[], { repair, minGrade }: Terms): readonly QueueTask[] =>
  repair ? [...tasks, ...tasks.map((task) => toRepairTask(task, minGrade))] : tasks;

/** Makes the use case of a check. */
export const createCheck =
  (parts: CheckParts) =>
  /** @throws {AppError} 400 with the same text as the single call, 429 for a logo when free work is used up, 503. */
  async (
    { data: text, image, ...options }: SingleRequest,
    accountId: string,
    terms: Terms = NO_TERMS,
    timings: Timings = noTimings(),
  ): Promise<Check> => {
    const subject = await prepareFree(parts, accountId, { text, design: toDesign(options) }, image);
    const task = okOrRefuse(await toGradeTask(parts.fitLogo, subject));
    const tasks = withRepairs([task], terms);
    const outcomes = await gradeAll(parts, { accountId, kind: 'single' }, tasks, timings);
    const [graded, repaired = null] = outcomes.map((outcome) => drawnOrThrow(outcome, parts.pool));
    return toCheck(task, graded!, repaired);
  };

/** Makes the use case of a check of a bulk call: up to 100 items, each with its own result or error. */
export const createBulkCheck =
  (parts: CheckParts) =>
  /** @throws {AppError} 503 when the render queue has no room for any item. */
  async (
    items: readonly BulkItem[],
    accountId: string,
    terms: Terms = NO_TERMS,
    timings: Timings = noTimings(),
  ): Promise<readonly Result<Check, string>[]> => {
    const asker = { accountId, kind: 'bulk' } as const;
    const prepared = readyItems(items, parts.links);
    const estimatedMs = prepared.filter(isOk).map(({ value }) => value.threadMs);
    refuseWhenFull(parts, asker, estimatedMs);
    const entries = await findLogos(parts, accountId, prepared, true);
    const tasks = await Promise.all(
      entries.map(async (entry): Promise<Result<PictureTask, string>> => {
        if (!entry.ok) return refused(entry.fault.error);
        const task = await toGradeTask(parts.fitLogo, entry.value);
        return task.ok ? task : refused(inWords(task.fault));
      }),
    );
    const ready = tasks.filter(isOk).map(({ value }) => value);
    const both = await gradeAll(parts, asker, withRepairs(ready, terms), timings);
    const [outcomes, repairs] = [both.slice(0, ready.length), both.slice(ready.length).values()];
    refuseWithoutRoom(outcomes, parts.pool);
    const graded = outcomes.values();
    return tasks.map((task) => {
      if (!task.ok) return task;
      const [outcome, repair] = [graded.next().value!, repairs.next().value ?? null];
      if (!outcome.ok) return refused(tellNotDrawn(outcome.fault));
      if (repair?.ok === false) return refused(tellNotDrawn(repair.fault));
      return ok(toCheck(task.value, outcome.value, repair?.value ?? null));
    });
  };
