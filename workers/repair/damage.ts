import { RESTORABLE } from '../design/logo.ts';
import { isFault } from '../fault.ts';
import type { ParameterName } from '../lists.ts';
import { planRender } from '../plan.ts';
import type { Change, Design } from '../protocol.ts';
import { apply, lowestOf, type Patient, type Repaired } from './patient.ts';

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
export function repairDamage(patient: Patient, before: Repaired): Repaired {
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
}

function raise({ text, logo }: Patient, design: Design): Raised | null {
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
}

/**
 * Returns the repair with the largest size up to `most` that is safe; `null` when none is. Halves the range seven times
 * at most: what cannot be drawn is too small, and what is not safe is too large.
 */
function largest(
  most: number,
  resize: (hundredths: number) => Repaired | null,
  isSafe: (repaired: Repaired) => boolean,
): Repaired | null {
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
}
