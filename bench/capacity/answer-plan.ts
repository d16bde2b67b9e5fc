/** `npm run capacity -- --plan file`: answers from the cost model, and on request checks it under load. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { totalOf } from '../cpu.ts';
import { describeMachine } from '../machine.ts';
import { CHECKED_SHARE, checkModel, checkTable, ERROR_MAX } from '../model/check.ts';
import { type Law, lawOf, type Rates } from '../model/curve.ts';
import { isSameMachine, readModel } from '../model/files.ts';
import { minutesOf, USUAL } from '../model/kinds.ts';
import type { CostModel } from '../model/model.ts';
import { answerTo } from '../model/plan/answer.ts';
import { loadOf } from '../model/plan/load.ts';
import { csvOf, pageOf } from '../model/plan/page.ts';
import { readPlan } from '../model/plan/plan-file.ts';
import { figure, percent, say, show } from '../say.ts';
import type { CapacityOptions } from './options.ts';

const CHECK_SECONDS = 6;
const CHECK_ROUNDS = 5;

/** Says how to measure the kinds of a load here, and how long that takes. */
export const offerToMeasure = (kinds: readonly string[]): string =>
  `npm run bench:model -- --kinds "${kinds.join(',')}" measures these kinds here in about ${minutesOf(kinds.length, USUAL)} minutes, and later plans use that`;

/** Loads this machine with the mix. @returns Whether the model fits, with one gateway process and with others. */
const check = async (
  model: CostModel,
  law: Law,
  rates: Rates,
  counts: readonly number[],
): Promise<boolean> => {
  let isRight = true;
  if (!isSameMachine(model.machine, describeMachine()))
    say('\nthe costs were measured on another machine than this one');
  for (const processes of counts) {
    say(`\nsending the mix at ${percent(CHECKED_SHARE)} of the predicted peak of one gateway process …`);
    const checked = await checkModel(law, rates, {
      processes,
      seconds: CHECK_SECONDS,
      rounds: CHECK_ROUNDS,
      onRound: (us) => say(`  ${figure(totalOf(us))} us a call`),
    });
    const { title, ...table } = checkTable(checked);
    say(`\n${title}`);
    show(table);
    const isNear = Math.abs(checked.error) <= ERROR_MAX;
    say(`\nthe model is ${percent(Math.abs(checked.error))} off here (allowed: ${percent(ERROR_MAX)})`);
    isRight &&= isNear;
  }
  if (!isRight) say(`\nthe model does not fit this machine: ${offerToMeasure(Object.keys(rates))}`);
  return isRight;
};

/**
 * Prints the answer, and writes it as a page and its months as CSV.
 *
 * @returns The exit code: 0, 1 when a check found the model more than 15 % wrong, 2 when the plan is invalid.
 */
export const answerPlan = async (
  file: string,
  { folder, isChecked, gateways, ...options }: CapacityOptions,
): Promise<0 | 1 | 2> => {
  const model = await readModel(options.model);
  const law = lawOf(model);
  const plan = readPlan(file, law.kinds.keys());
  if (!('tenants' in plan)) {
    for (const fault of plan) process.stderr.write(`${file}: ${fault}\n`);
    return 2;
  }
  const answer = answerTo(model, law, plan);
  say(`${answer.title}\n`);
  for (const sentence of answer.sentences) say(`- ${sentence}`);
  for (const { title, ...table } of answer.sections) {
    say(`\n${title}`);
    show(table);
  }
  say('\nAssumptions\n');
  for (const sentence of answer.assumptions) say(`- ${sentence}`);
  await mkdir(folder, { recursive: true });
  const [page, csv] = [join(folder, 'plan.html'), join(folder, 'plan.csv')];
  await writeFile(page, pageOf(answer));
  await writeFile(csv, csvOf(answer));
  say(`\npage: ${page}\nmonths: ${csv}`);
  return !isChecked || (await check(model, law, loadOf(plan, 0).busiest, gateways)) ? 0 : 1;
};
