/**
 * `npm run study` draws random designs, distorts their pictures, reads them with independent readers, and prints how
 * well the grade predicts the outcome.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { say } from '../../bench/say.ts';
import { commandLine, text, textOr, whole } from '../support/command.ts';
import { specimens } from './designs.ts';
import { graded, type Reading, readSpecimen } from './read.ts';
import { startReaders } from './readers.ts';
import { printTables } from './tables.ts';

const STUDY = {
  name: 'npm run study',
  about:
    'Draws random designs, distorts their pictures, reads them with independent readers, and prints how well the grade predicts the outcome.\n\nReaders: zxing-wasm and jsQR; with the packages libzbar0, python3-zxing-cpp and python3-opencv of Debian, those too.',
  options: {
    designs: whole('designs of the tuning seed, for choosing thresholds', 200, 0),
    'held-out': whole('designs of the held-out seed, for validating the thresholds', 200, 0),
    seed: whole('the tuning seed; the held-out seed is 1000 higher', 1, 0),
    python: textOr('path', '/usr/bin/python3', 'a Python interpreter that can import Debian’s readers'),
    save: text('file', 'writes the readings as JSON'),
    from: text('file', 'grades the readings of an earlier run instead of reading'),
  },
  examples: [
    ['--designs 20 --held-out 20', 'a rough answer'],
    ['--save read.json', 'saves the readings'],
    ['--from read.json', 'grades them again after a change to workers/quality/'],
  ],
} as const;

const { values } = commandLine(STUDY);

/** The readings of one seed. */
interface Part {
  readonly title: string;
  readonly readings: Reading[];
}

/** Offset of the held-out seed. Seeds that are this far apart share no designs. */
const HELD_OUT_SEED = 1000;
const SAVE_EVERY = 20;

const readAll = async (): Promise<readonly Part[]> => {
  const readers = await startReaders(values.python);
  say(`readers: ${readers.names.join(', ')}`);
  const seed = Number(values.seed);
  const parts: Part[] = [];
  for (const [title, some] of [
    ['tuning', specimens(seed, Number(values.designs))],
    ['held out', specimens(seed + HELD_OUT_SEED, Number(values['held-out']))],
  ] as const) {
    const readings: Reading[] = [];
    parts.push({ title, readings });
    for (const [i, specimen] of some.entries()) {
      const reading = await readSpecimen(specimen, readers);
      if (reading !== null) readings.push(reading);
      if ((i + 1) % SAVE_EVERY > 0 && i + 1 < some.length) continue;
      say(`${title}: ${i + 1} of ${some.length}`);
      // A long run that is stopped keeps its readings.
      if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(parts));
    }
  }
  readers.close();
  return parts;
};

const parts: readonly Part[] =
  values.from === undefined ? await readAll() : JSON.parse(readFileSync(values.from, 'utf8'));
for (const { title, readings } of parts) {
  const all = (await Promise.all(readings.map(graded))).filter((one) => one !== null);
  if (all.length > 0) printTables(title, all);
}
