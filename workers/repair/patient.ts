import { isFault } from '../fault.ts';
import type { ParameterName } from '../lists.ts';
import type { Change, Design, Grade, Logo, Quality, Repair } from '../protocol.ts';
import { gradeDesign } from '../quality/grade.ts';

/** What a repair keeps, and the grade that it is to reach. */
export interface Patient {
  readonly text: string;
  readonly logo: Logo | null;
  readonly wanted: Grade;
}

/** A design with its changes so far, and its quality. */
export interface Repaired extends Repair {
  readonly quality: Quality;
}

/** Returns the lowest grade of some parameters. */
export const lowestOf = ({ quality }: Repaired, names: readonly ParameterName[]): number =>
  Math.min(...names.map((name) => quality.parameters[name]));

/** Changes a design and grades it. `null` when it could not be drawn. */
export function apply(
  { text, logo }: Patient,
  before: Repaired,
  design: Design,
  changes: readonly Change[],
): Repaired | null {
  const quality = gradeDesign(text, design, logo);
  return isFault(quality) ? null : { design, changes: [...before.changes, ...changes], quality };
}
