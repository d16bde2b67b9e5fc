/** Reports what pictures would be, without making or charging for them. Grading counts as free work. */
import type { RenderPlan } from '../../../workers/plan.ts';
import type {
  Change,
  ErrorCorrectionLevel,
  Grade,
  Quality,
  Rendered,
  RenderTask,
} from '../../../workers/protocol.ts';
import { isOk, ok, okOrThrow, type Result, refused } from '../../result.ts';
import { findLogos } from '../bulk/draw-items.ts';
import { readyItems } from '../bulk/items.ts';
import { drawnOrThrow, type PictureTask, type QueueTask } from '../draw.ts';
import { type FileSpec, fillFile, layOutFile, PNG_FILE } from '../file.ts';
import type { Caller, GradeTerms, Parts, Timings } from '../parts.ts';
import { prepareFree, refuseWhenFull } from '../prepare.ts';
import { inWords, refuse, refuseWithoutRoom, tellNotDrawn } from '../refusals.ts';
import { toDesign } from '../request/design.ts';
import type { BulkRequest, SingleRequest } from '../request/request.ts';
import { contentValues } from '../request/words.ts';
import { chooseBulkDomain, type DomainChoice, type DomainStore } from '../save/domain.ts';
import { type LinkRules, linksOn } from '../slugs.ts';
import { gradeAll, toGradeTask } from './grader.ts';
import { repairOf, toRepairTask } from './repair.ts';

/** What decides the size of a file. */
interface Sized extends Pick<RenderTask, 'print'> {
  readonly plan: RenderPlan;
}

/** What a picture would be. */
export interface Check {
  readonly quality: Quality;
  readonly version: number;
  readonly level: ErrorCorrectionLevel;
  /** Modules on a side of the symbol, without quiet zone. */
  readonly modules: number;
  /** Width of the picture in modules, including everything around the symbol. */
  readonly widthModules: number;
  /** How its file is laid out. */
  readonly sized: Sized;
  /** What a repair would change, and the grade after it. Absent unless it was asked for. */
  readonly repair?: { readonly grade: Grade; readonly changes: readonly Change[] };
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
    sized: task,
    ...(repaired && { repair: { grade: repaired.grade, changes: repairOf(repaired).changes } }),
  };
};

/** Returns tasks that grade, followed by those that repair the same pictures when that is asked for. */
const withRepairs = (
  tasks: readonly PictureTask[],
  { repair, minGrade }: GradeTerms,
): readonly QueueTask[] =>
  repair ? [...tasks, ...tasks.map((task) => toRepairTask(task, minGrade))] : tasks;

/** Makes the use case of a check. */
export const createCheck =
  (parts: Parts) =>
  /** @throws {AppError} 400 with the same text as the single call, 429 for a logo when free work is used up, 503. */
  async (
    { data: text, image, ...options }: SingleRequest,
    accountId: string,
    terms: GradeTerms,
    timings: Timings,
    file: FileSpec = PNG_FILE,
  ): Promise<Check> => {
    const filled = fillFile(file, contentValues(text));
    const laid = okOrThrow(layOutFile(text, toDesign(options), filled), refuse);
    const subject = await prepareFree(parts, accountId, { text, ...laid }, image);
    const task = okOrThrow(await toGradeTask(parts.fitLogo, subject), refuse);
    const outcomes = await gradeAll(parts, { accountId, timings }, 'single', withRepairs([task], terms));
    const [graded, repaired = null] = outcomes.map((outcome) => drawnOrThrow(outcome, parts.pool));
    return toCheck(task, graded!, repaired);
  };

/** Makes the use case of a check of a bulk call: up to 100 items, each with its own result or error. */
export const createBulkCheck =
  (parts: Parts & { readonly links: LinkRules; readonly store: DomainStore }) =>
  /** @throws {AppError} 400 for a domain that is not proved, 503 when the render queue has no room for any item. */
  async (
    request: BulkRequest,
    caller: Pick<Caller, 'accountId' | keyof DomainChoice>,
    terms: GradeTerms,
    timings: Timings,
  ): Promise<readonly Result<Check, string>[]> => {
    const { accountId } = caller;
    const { items, folderId: id, folderName: name = '' } = request;
    const domain = await chooseBulkDomain(parts.store, caller, request, id === undefined ? { name } : { id });
    const prepared = readyItems(items, linksOn(parts.links, domain));
    const estimatedMs = prepared.filter(isOk).map(({ value }) => value.threadMs);
    refuseWhenFull(parts, { accountId, kind: 'bulk', estimatedMs });
    const entries = await findLogos(parts, accountId, prepared, true);
    const tasks = await Promise.all(
      entries.map(async (entry): Promise<Result<PictureTask, string>> => {
        if (!entry.ok) return refused(entry.fault.error);
        const task = await toGradeTask(parts.fitLogo, entry.value);
        return task.ok ? task : refused(inWords(task.fault));
      }),
    );
    const ready = tasks.filter(isOk).map(({ value }) => value);
    const both = await gradeAll(parts, { accountId, timings }, 'bulk', withRepairs(ready, terms));
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
