/** Repairs designs on the render threads, which have all that grading needs. */
import type { Design, Grade, Rendered, RenderTask, Repair } from '../../../workers/protocol.ts';
import { type RenderOutcome, refuseUnfit } from '../../render/outcome.ts';
import type { RenderKind } from '../../render/request.ts';
import { isOk } from '../../result.ts';
import { drawnOrThrow, runTasks } from '../drawing.ts';
import type { Parts, Timings } from '../parts.ts';
import type { Terms } from '../quality/graded.ts';
import type { Subject } from '../quality/grader.ts';
import { planTask } from '../task.ts';
import { serializeChanges } from './changes.ts';

/** The parts that repairs need. */
export type RepairParts = Pick<Parts, 'pool' | 'fitLogo' | 'deadlineMs'>;

/** Milliseconds to repair a picture, on one 2.5 GHz core: with a logo its sizes are tried. */
export const REPAIR_MS = { plain: 1, withLogo: 5 } as const;

/** Returns a task that repairs a picture, and the milliseconds that it takes. */
export const toRepairTask = (task: RenderTask, wanted: Grade) => ({
  task: { ...task, repair: wanted },
  estimatedMs: task.logo === null ? REPAIR_MS.plain : REPAIR_MS.withLogo,
});

/** Returns the repair of a thread's answer. */
export const repairOf = ({ repair }: Rendered): Repair => {
  if (repair === undefined) throw new Error('a render thread gave no repair');
  return repair;
};

/**
 * Repairs pictures together. Adds what that took to `timings`. Returns one outcome for each, whose picture is empty and
 * has a `repair`.
 */
export const repairAll = async (
  parts: RepairParts,
  asker: { readonly accountId: string; readonly kind: RenderKind },
  subjects: readonly Subject[],
  { minGrade }: Terms,
  timings: Timings,
): Promise<readonly RenderOutcome[]> => {
  const planned = await Promise.all(
    subjects.map((subject) => planTask(parts.fitLogo, { ...subject, format: 'png' })),
  );
  const tasks = planned.filter(isOk).map(({ value }) => toRepairTask(value.task, minGrade));
  const ran = await runTasks(parts, { ...asker, tasks }, timings);
  timings.drawnMs += ran.spentMs;
  const outcomes = ran.outcomes.values();
  return planned.map((item) => (item.ok ? outcomes.next().value! : refuseUnfit(item.fault)));
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
  parts: RepairParts,
  accountId: string,
  subject: Subject,
  terms: Terms,
  timings: Timings,
): Promise<Mended> => {
  if (!terms.repair) return { design: subject.design, repaired: '' };
  const [outcome] = await repairAll(parts, { accountId, kind: 'single' }, [subject], terms, timings);
  return toMended(drawnOrThrow(outcome!, parts.pool));
};
