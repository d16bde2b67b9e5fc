import { isFault } from '../fault.ts';
import type { CornerType, ParameterName } from '../lists.ts';
import { planRender } from '../plan.ts';
import type { Design, Fault, Grade, Logo } from '../protocol.ts';
import { gradeDesign } from '../quality/grade.ts';
import { repairDamage } from './damage.ts';
import { apply, lowestOf, type Patient, type Repaired } from './patient.ts';

/**
 * Makes the least change to a design that gives the wanted grade, or comes as near to it as changes can. Each change is
 * made only where a parameter is below the wanted grade, in this order:
 *
 * 1. The centres of the finder patterns become `rounded`, or else `square`.
 * 2. Their rings do.
 * 3. The quiet zone grows to four modules, or to three or two where four make the modules too small.
 * 4. The error correction level rises to the highest that the version holds; the logo does not grow with it.
 * 5. The logo shrinks to the largest size that leaves the reserve of the grade. Its margin goes only if such a logo
 *    would not be visible otherwise.
 *
 * Colours, canvas, shape and version stay: a design that fails by these is still below the wanted grade. At most 23
 * designs are graded. Returns the faults of `planRender` for the design as it is.
 */
export function repairDesign(
  text: string,
  design: Design,
  logo: Logo | null,
  wanted: Grade,
): Repaired | Fault {
  const quality = gradeDesign(text, design, logo);
  if (isFault(quality)) return quality;
  const patient = { text, logo, wanted };
  const steps = [
    repairCorners('finder-centre', 'cornersDot'),
    repairCorners('finder-ring', 'cornersSquare'),
    ...[repairQuietZone, repairDamage],
  ];
  const before: Repaired = { design, changes: [], quality };
  return steps.reduce((repaired, step) => step(patient, repaired), before);
}

/** Corners that every reader finds. The first is nearer to round ones. */
const SAFE_CORNERS: readonly CornerType[] = ['rounded', 'square'];

const repairCorners =
  (name: 'finder-centre' | 'finder-ring', part: 'cornersDot' | 'cornersSquare') =>
  (patient: Patient, before: Repaired): Repaired =>
    improve(patient, before, [name], SAFE_CORNERS, (value) => {
      const { design } = before;
      return apply(patient, before, { ...design, [part]: { ...design[part], type: value } }, [
        { name, value },
      ]);
    });

/** Modules to try when four make the modules too small. */
const NARROWER_QUIET_ZONES = [3, 2];
/** The greatest margin that a request may ask for. */
const MAX_MARGIN_PX = 100;

/** A circle of dots has one empty module around its symbol, whatever its margin is. */
function repairQuietZone(patient: Patient, before: Repaired): Repaired {
  const { design } = before;
  const plan = planRender(patient.text, design, null);
  const isWide = lowestOf(before, ['quiet-zone']) >= patient.wanted;
  if (isWide || design.shape === 'circle' || isFault(plan)) return before;
  const sidePx = Math.min(design.widthPx, design.heightPx);
  const narrower = NARROWER_QUIET_ZONES.map((modules) =>
    Math.ceil((modules * sidePx) / (plan.geometry.moduleCount + 2 * modules)),
  );
  const margins = [null, ...narrower.filter((marginPx) => marginPx <= MAX_MARGIN_PX)];
  return improve(patient, before, ['quiet-zone', 'small-modules'], margins, (value) =>
    apply(patient, before, { ...design, marginPx: value }, [{ name: 'quiet-zone', value }]),
  );
}

/** Makes the first change that gives the wanted grade, else the best one. No change lowers the whole grade. */
function improve<T>(
  { wanted }: Patient,
  before: Repaired,
  names: readonly ParameterName[],
  values: readonly T[],
  changed: (value: T) => Repaired | null,
): Repaired {
  let best = before;
  for (const value of values) {
    if (lowestOf(best, names) >= wanted) return best;
    const next = changed(value);
    if (next === null || next.quality.grade < before.quality.grade) continue;
    if (lowestOf(next, names) > lowestOf(best, names)) best = next;
  }
  return best;
}
