/** Draws specimens, distorts them and reads them. */

import { readFileSync } from 'node:fs';
import { planRender } from '../../workers/plan.ts';
import { type Design, isFault, type Quality } from '../../workers/protocol.ts';
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
export async function readSpecimen(specimen: Specimen, readers: Readers): Promise<Reading | null> {
  const logo = specimen.logo && (await logoOf(specimen.logo));
  const plan = planRender(specimen.text, specimen.design, logo);
  if (isFault(plan)) return null;
  const drawn = render({ text: specimen.text, design: specimen.design, logo, format: 'png' });
  if (!drawn.ok) return null;
  const picture = await onPaper(drawn.value.bytes);
  const seen: Grey[] = [];
  for (const { distort } of CONDITIONS) seen.push(await distort(picture, plan.geometry.modulePx));
  const readings = await readers.read(seen, plan.geometry.moduleCount);
  const isRight = (text: string | null) => text === specimen.text;
  const reads = Object.entries(readings).map(([name, texts]) => [name, texts.map(isRight)] as const);
  return { specimen, reads: Object.fromEntries(reads) };
}

/** Grades readings with the current code. */
export async function graded({ specimen, reads }: Reading): Promise<Graded | null> {
  const logo = specimen.logo && (await logoOf(specimen.logo));
  const quality = gradeDesign(specimen.text, specimen.design as Design, logo);
  return isFault(quality) ? null : { specimen, reads, quality };
}

/** The readings of one seed. */
export interface Part {
  readonly title: string;
  readonly readings: readonly Reading[];
}

/** Returns the readings that an earlier run saved. */
export const readParts = (file: string): readonly Part[] => JSON.parse(readFileSync(file, 'utf8'));
