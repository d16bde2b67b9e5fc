/** The grade of pictures, and what a call asks of it. */
import { PARAMETERS } from '../../../workers/lists.ts';
import type { Fault, Grade, Rendered, TextLoss } from '../../../workers/protocol.ts';
import { namesIn } from '../../../workers/quality/grades.ts';
import type { Call, GradeTerms, Parts } from '../parts.ts';
import { type Refusal, refuse } from '../refusals.ts';

/** The grade of a picture, and its warnings as the header `Tessera-Warnings` has them: '' at grade 4. */
export type Graded = Pick<Rendered, 'grade' | 'warnings'>;

/** A PNG with its grade. */
export interface Picture extends Graded {
  readonly png: Uint8Array;
}

/** Returns what answers carry of a drawn PNG. */
export const toPicture = ({ bytes, grade, warnings }: Rendered): Picture => ({ png: bytes, grade, warnings });

/** Returns the warnings of a manifest's line, with what the captions of its files lose: `caption-cut, caption-glyphs`. */
export const withLost = (warnings: string, lost: readonly TextLoss[] = []): string =>
  [...(warnings === '' ? [] : [warnings]), ...lost.map((loss) => `caption-${loss}`)].join(', ');

/**
 * Returns a fault for a picture below the grade that a call asks for, else `null`. It names the field that decides the
 * lowest parameter, says how to raise that one, and lists all warnings.
 */
export const gradeFault = ({ grade, warnings }: Graded, { minGrade, repair }: GradeTerms): Fault | null => {
  if (grade >= minGrade) return null;
  const { field, advice } = PARAMETERS[namesIn(warnings)[0]!];
  return {
    field,
    message: `this gives grade ${grade}${repair ? ' even after repair' : ''}, and ${repair ? 'Tessera-Repair' : 'Tessera-Min-Grade'} asks for ${minGrade} (${warnings}). ${advice}`,
  };
};

/**
 * Refuses a picture below the grade that its call asks for. The call then costs no units, so what it took to draw
 * counts as free work.
 *
 * @throws {AppError} 400.
 */
export const requireGrade = (
  { freeWork }: Pick<Parts, 'freeWork'>,
  { accountId, terms, timings }: Call,
  picture: Graded,
  refusal: Refusal = refuse,
): void => {
  const fault = gradeFault(picture, terms);
  if (fault === null) return;
  freeWork.spend(accountId, timings.drawnMs);
  throw refusal(fault);
};

/**
 * Returns the lowest grade of some pictures, and the warnings of all: each name once, with the figure of the picture
 * that has the lowest grade. `null` without pictures.
 */
export const worstOf = (pictures: readonly Graded[]): Graded | null => {
  if (pictures.length === 0) return null;
  const grade = Math.min(...pictures.map((picture) => picture.grade)) as Grade;
  if (grade === 4) return { grade, warnings: '' };
  const items = new Map<string, string>();
  for (const { warnings } of pictures.filter(isFlawed).sort((a, b) => a.grade - b.grade)) {
    for (const item of warnings.split(', ')) {
      const name = item.split(';', 1)[0]!;
      if (!items.has(name)) items.set(name, item);
    }
  }
  return { grade, warnings: [...items.values()].join(', ') };
};

const isFlawed = ({ grade }: Graded): boolean => grade < 4;
