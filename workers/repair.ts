import { RESTORABLE } from './design/geometry.ts';
import type { CornerType, ParameterName } from './lists.ts';
import { planRender } from './plan.ts';
import {
  type Change,
  type Design,
  type Fault,
  type Grade,
  isFault,
  type Logo,
  type Quality,
  type Repair,
} from './protocol.ts';
import { gradeDesign } from './quality/grade.ts';

/** What a repair keeps, and the grade that it is to reach. */
interface Patient {
  readonly text: string;
  readonly logo: Logo | null;
  readonly wanted: Grade;
}

/** A design with its changes so far, and its quality. */
interface Repaired extends Repair {
  readonly quality: Quality;
}

/** Returns the lowest grade of some parameters. */
const lowestOf = ({ quality }: Repaired, names: readonly ParameterName[]): number =>
  Math.min(...names.map((name) => quality.parameters[name]));

/** Changes a design and grades it. `null` when it could not be drawn. */
const apply = (
  { text, logo }: Patient,
  before: Repaired,
  design: Design,
  changes: readonly Change[],
): Repaired | null => {
  const quality = gradeDesign(text, design, logo);
  return isFault(quality) ? null : { design, changes: [...before.changes, ...changes], quality };
};

/** What pale paints do to modules, and what the logo does. */
const DAMAGE: readonly ParameterName[] = ['modulation', 'logo-damage', 'fixed-patterns'];
const LOGO_DAMAGE = DAMAGE.filter((name) => name !== 'modulation');

/** A design at the highest level that its version holds. */
interface Raised {
  readonly design: Design;
  readonly changes: readonly Change[];
  /** The size, in hundredths of `image.size`, at which the logo covers no more than before. */
  readonly sizeHundredths: number;
}

/** Raises the error correction level, and then makes the logo smaller, until damage leaves the wanted grade. */
const repairDamage = (patient: Patient, before: Repaired): Repaired => {
  const { wanted, logo } = patient;
  if (lowestOf(before, DAMAGE) >= wanted) return before;
  const raised = raise(patient, before.design);
  if (raised === null) return before;
  const { design, changes, sizeHundredths } = raised;
  const resize = (hundredths: number, marginPx = design.image.marginPx): Repaired | null => {
    const size = Math.min(hundredths / 100, design.image.size);
    const image = { ...design.image, size, marginPx };
    const sized: Change[] = size === before.design.image.size ? [] : [{ name: 'logo-size', value: size }];
    const bare: Change[] =
      marginPx === design.image.marginPx ? [] : [{ name: 'logo-margin', value: marginPx }];
    return apply(patient, before, { ...design, image }, [...changes, ...sized, ...bare]);
  };
  const same = logo === null ? apply(patient, before, design, changes) : resize(sizeHundredths);
  const best = same !== null && lowestOf(same, DAMAGE) > lowestOf(before, DAMAGE) ? same : before;
  const isDone = lowestOf(best, DAMAGE) >= wanted;
  if (isDone || logo === null || (same !== null && lowestOf(same, ['modulation']) < wanted)) return best;

  const isSafe = (repaired: Repaired): boolean => lowestOf(repaired, LOGO_DAMAGE) >= wanted;
  const smaller =
    largest(sizeHundredths, resize, isSafe) ??
    (design.image.marginPx > 0 ? largest(sizeHundredths, (size) => resize(size, 0), isSafe) : null);
  return smaller ?? best;
};

const raise = ({ text, logo }: Patient, design: Design): Raised | null => {
  const before = planRender(text, design, logo);
  const after = planRender(text, { ...design, symbol: { ...design.symbol, boost: true } }, null);
  if (isFault(before) || isFault(after)) return null;
  const [from, to] = [before.symbol.level, after.symbol.level];
  const sizeHundredths = Math.floor((100 * design.image.size * RESTORABLE[from]) / RESTORABLE[to] + 1e-9);
  if (from === to) return { design, changes: [], sizeHundredths };
  return {
    design: { ...design, symbol: { ...design.symbol, levels: [to] } },
    changes: [{ name: 'level', value: to }],
    sizeHundredths,
  };
};

/**
 * Returns the repair with the largest size up to `most` that is safe; `null` when none is. Halves the range seven times
 * at most: what cannot be drawn is too small, and what is not safe is too large.
 */
const largest = (
  most: number,
  resize: (hundredths: number) => Repaired | null,
  isSafe: (repaired: Repaired) => boolean,
): Repaired | null => {
  let [low, high] = [1, most];
  let best: Repaired | null = null;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const sized = resize(middle);
    const isTooLarge = sized !== null && !isSafe(sized);
    if (isTooLarge) high = middle - 1;
    else low = middle + 1;
    if (sized !== null && !isTooLarge) best = sized;
  }
  return best;
};

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
export const repairDesign = (
  text: string,
  design: Design,
  logo: Logo | null,
  wanted: Grade,
): Repaired | Fault => {
  const quality = gradeDesign(text, design, logo);
  if (isFault(quality)) return quality;
  const patient = { text, logo, wanted };
  const steps = [
    repairCorners('finder-centre', 'cornersDot'),
    repairCorners('finder-ring', 'cornersSquare'),
    repairQuietZone,
    repairDamage,
  ];
  const before: Repaired = { design, changes: [], quality };
  return steps.reduce((repaired, step) => step(patient, repaired), before);
};

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
const repairQuietZone = (patient: Patient, before: Repaired): Repaired => {
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
};

/** Makes the first change that gives the wanted grade, else the best one. No change lowers the whole grade. */
const improve = <T>(
  { wanted }: Patient,
  before: Repaired,
  names: readonly ParameterName[],
  values: readonly T[],
  changed: (value: T) => Repaired | null,
): Repaired => {
  let best = before;
  for (const value of values) {
    if (lowestOf(best, names) >= wanted) return best;
    const next = changed(value);
    if (next === null || next.quality.grade < before.quality.grade) continue;
    if (lowestOf(next, names) > lowestOf(best, names)) best = next;
  }
  return best;
};
