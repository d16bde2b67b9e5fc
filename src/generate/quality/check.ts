/** Reports what pictures would be, without making or charging for them. Grading counts as free work. */
import type { Change, ErrorCorrectionLevel, Grade, Quality, Rendered } from '../../../workers/protocol.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { findLogos, type LinkRules, readyItems } from '../bulk/items.ts';
import {
  drawnOrThrow,
  inWords,
  planOrRefuse,
  refuse,
  refuseWhenFull,
  refuseWithoutRoom,
  tellNotDrawn,
} from '../drawing.ts';
import { findLogo } from '../logos.ts';
import { noTimings, type Parts, type Timings } from '../parts.ts';
import { repairOf, toRepairTask } from '../repair/repair.ts';
import { toDesign } from '../request/design.ts';
import type { BulkItem, SingleRequest } from '../request/request.ts';
import { NO_TERMS, type Terms } from './graded.ts';
import { gradeAll, type Sample, sampleOf } from './grader.ts';

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
export interface CheckParts extends Pick<Parts, 'pool' | 'logos' | 'fitLogo' | 'freeWork' | 'deadlineMs'> {
  readonly links: LinkRules;
}

const toCheck = ({ design, plan }: Sample, { quality }: Rendered, repaired: Rendered | null): Check => {
  if (quality === undefined) throw new Error('a render thread gave no report');
  const { symbol, geometry } = plan;
  return {
    quality,
    version: symbol.version,
    level: symbol.level,
    modules: geometry.moduleCount,
    widthModules: design.widthPx / geometry.modulePx,
    ...(repaired === null ? {} : { repair: { grade: repaired.grade, changes: repairOf(repaired).changes } }),
  };
};

/** Returns the samples, followed by their repairs when they are asked for. */
const withRepairs = (samples: readonly Sample[], { repair, minGrade }: Terms): readonly Sample[] =>
  repair
    ? [...samples, ...samples.map((sample) => ({ ...sample, ...toRepairTask(sample.task, minGrade) }))]
    : samples;

/** Makes the use case of a check. */
export const createCheck =
  (parts: CheckParts) =>
  /** @throws {AppError} 400 with the same text as the single call, 429 for a logo when free work is used up, 503. */
  async (
    request: SingleRequest,
    accountId: string,
    terms: Terms = NO_TERMS,
    timings: Timings = noTimings(),
  ): Promise<Check> => {
    const design = toDesign(request);
    refuseWhenFull(parts, accountId, 'single', [planOrRefuse(request.data, design).estimatedMs]);
    const found = await findLogo(parts, accountId, request.image, true);
    const sample = await sampleOf(parts.fitLogo, { text: request.data, design, found });
    if (!sample.ok) throw refuse(sample.fault);
    const samples = withRepairs([sample.value], terms);
    const outcomes = await gradeAll(parts, { accountId, kind: 'single' }, samples, timings);
    const [graded, repaired = null] = outcomes.map((outcome) => drawnOrThrow(outcome, parts.pool));
    return toCheck(sample.value, graded!, repaired);
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
    const prepared = readyItems(items, parts.links);
    const estimatedMs = prepared.filter(isOk).map(({ value }) => value.threadMs);
    refuseWhenFull(parts, accountId, 'bulk', estimatedMs);
    const entries = await findLogos(parts, accountId, prepared, true);
    const samples = await Promise.all(
      entries.map(async (entry): Promise<Result<Sample, string>> => {
        if (!entry.ok) return refused(entry.fault.error);
        const sample = await sampleOf(parts.fitLogo, entry.value);
        return sample.ok ? sample : refused(inWords(sample.fault));
      }),
    );
    const ready = samples.filter(isOk).map(({ value }) => value);
    const both = await gradeAll(parts, { accountId, kind: 'bulk' }, withRepairs(ready, terms), timings);
    const [outcomes, repairs] = [both.slice(0, ready.length), both.slice(ready.length).values()];
    refuseWithoutRoom(outcomes, parts.pool);
    const graded = outcomes.values();
    return samples.map((sample) => {
      if (!sample.ok) return sample;
      const [outcome, repair] = [graded.next().value!, repairs.next().value ?? null];
      if (!outcome.ok) return refused(tellNotDrawn(outcome.fault));
      if (repair?.ok === false) return refused(tellNotDrawn(repair.fault));
      return ok(toCheck(sample.value, outcome.value, repair?.value ?? null));
    });
  };
