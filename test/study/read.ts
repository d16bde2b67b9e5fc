/** Draws specimens, distorts them and reads them. */
import { planRender } from '../../workers/plan.ts';
import { isFault, type Quality } from '../../workers/protocol.ts';
import { gradeDesign } from '../../workers/quality/grade.ts';
import { render } from '../../workers/render.ts';
import { CONDITIONS, type Grey, onPaper } from './conditions.ts';
import { logoOf, type Specimen } from './designs.ts';
import type { Readers } from './readers.ts';

/** A specimen and, for each reader, whether it read the specimen in each condition. */
export interface Reading {
  readonly specimen: Specimen;
  readonly reads: Readonly<Record<string, readonly boolean[]>>;
}

/** A reading with the grade by the current code. */
export interface Graded extends Reading {
  readonly quality: Quality;
}

/** Draws a specimen and reads it in all conditions. Returns `null` when it cannot be drawn. */
export const readSpecimen = async (specimen: Specimen, readers: Readers): Promise<Reading | null> => {
  const { text, design } = specimen;
  const logo = specimen.logo && (await logoOf(specimen.logo));
  const plan = planRender(text, design, logo);
  if (isFault(plan)) return null;
  const drawn = render({ text, design, logo, format: 'png' });
  if (!drawn.ok) return null;
  const picture = await onPaper(drawn.value.bytes);
  const seen: Grey[] = [];
  for (const { distort } of CONDITIONS) seen.push(await distort(picture, plan.geometry.modulePx));
  const readings = Object.entries(await readers.read(seen, plan.geometry.moduleCount));
  const reads = readings.map(([name, texts]) => [name, texts.map((one) => one === text)] as const);
  return { specimen, reads: Object.fromEntries(reads) };
};

/** Grades a reading with the current code. Returns `null` when it cannot be graded. */
export const graded = async (reading: Reading): Promise<Graded | null> => {
  const { text, design, logo } = reading.specimen;
  const quality = gradeDesign(text, design, logo && (await logoOf(logo)));
  return isFault(quality) ? null : { ...reading, quality };
};
