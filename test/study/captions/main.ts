/** `npm run study:captions` looks for words and frames that harm a code. */
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../../bench/say.ts';
import { commandLine, text, whole } from '../../support/command.ts';
import { type CaptionCase, caseOf } from './cases.ts';
import { type Judgement, judgeCases, makeCase } from './judge.ts';
import { printTables } from './tables.ts';

const { values } = commandLine({
  name: 'npm run study:captions',
  about:
    'Draws random designs in every format, bare and with random words and frames, and reads both with ZXing and ZBar. With words a reader must read what it reads without; the grade must be that of the bare code, its quiet zone blank, and the text of a PDF that of its row. Needs Ghostscript, Poppler and qpdf. Exits with 1 when a case fails.',
  options: {
    cases: whole('cases', 10_000),
    seed: { ...text('n', 'draws the cases of an earlier run again'), least: 1, isWhole: true },
    case: { ...text('n', 'draws this case of the seed alone'), least: 0, isWhole: true },
    save: text('folder', 'writes both files of each case that fails'),
  },
  examples: [
    ['--cases 200 --seed 7', 'a rough answer, always the same'],
    ['--seed 7 --case 12 --save found', 'looks at one case'],
  ],
} as const);

/** Looked at together; a run that is stopped has said what it found until then. */
const TOGETHER = 80;
const SAY_EVERY = 10 * TOGETHER;

const seed = Number(values.seed ?? randomInt(1, 2 ** 31 - 1));
const numbers =
  values.case === undefined
    ? Array.from({ length: Number(values.cases) }, (_, number) => number)
    : [Number(values.case)];

const save = async (asked: CaptionCase, folder: string): Promise<void> => {
  const made = await makeCase(asked);
  if (typeof made === 'string') return;
  mkdirSync(folder, { recursive: true });
  for (const kind of ['bare', 'worded'] as const)
    writeFileSync(join(folder, `${seed}-${asked.number}-${kind}.${asked.format}`), made[kind].file);
};

const tell = async ({ number, faults }: Judgement): Promise<void> => {
  say(`npm run study:captions -- --seed ${seed} --case ${number}`);
  for (const fault of faults) say(`  ${fault}`);
  if (values.save !== undefined) await save(caseOf(seed, number), values.save);
};

say(`seed ${seed}`);
const judgements: Judgement[] = [];
for (let from = 0; from < numbers.length; from += TOGETHER) {
  const together = numbers.slice(from, from + TOGETHER);
  const judged = await judgeCases(together.map((number) => caseOf(seed, number)));
  for (const judgement of judged) if (judgement.faults.length > 0) await tell(judgement);
  judgements.push(...judged);
  if (judgements.length % SAY_EVERY === 0) say(`${judgements.length} of ${numbers.length}`);
}
printTables(judgements);
const failed = judgements.filter(({ faults }) => faults.length > 0);
say(`\n${judgements.length} cases, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
