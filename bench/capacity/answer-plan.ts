/** `npm run capacity -- --plan file`: answers from the cost model, and on request checks the answers under load. */

import { CHECKED_SHARE, checkModel, checkTable, ERROR_MAX } from '../model/check.ts';
import { readModel } from '../model/files.ts';
import { allOf } from '../model/model.ts';
import { answersTo } from '../model/plan/answer.ts';
import { ratesOf } from '../model/plan/habits.ts';
import { readPlan } from '../model/plan/plan-file.ts';
import { figure, percent, say, show } from '../say.ts';
import type { PlanOptions } from './options.ts';

const CHECK_SECONDS = 6;
const CHECK_ROUNDS = 5;

/**
 * Prints the answers.
 * @returns The exit code: 0, 1 when the model was more than 15 % wrong, 2 when the plan is invalid.
 */
export const answerPlan = async ({ file, model: modelFile, isChecked }: PlanOptions): Promise<0 | 1 | 2> => {
  const plan = await readPlan(file);
  if (!('tenants' in plan)) {
    for (const fault of plan) process.stderr.write(`${file}: ${fault}\n`);
    return 2;
  }
  const model = await readModel(modelFile);
  const { machine, at } = model;
  say(
    `costs as measured on ${at.slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, Node.js ${machine.node}`,
  );
  for (const { title, ...table } of answersTo(model, plan)) {
    say(`\n${title}`);
    show(table);
  }
  if (!isChecked) return 0;

  say(`\nsending the mix at ${percent(CHECKED_SHARE)} of its predicted peak on this machine …`);
  const checked = await checkModel(model, ratesOf(plan.tenants).busiest, {
    seconds: CHECK_SECONDS,
    rounds: CHECK_ROUNDS,
    onRound: (us) => say(`  ${figure(allOf(us))} us a call`),
  });
  const { title, ...table } = checkTable(checked);
  say(`\n${title}`);
  show(table);
  const isRight = Math.abs(checked.error) <= ERROR_MAX;
  say(
    `\nthe model is ${percent(Math.abs(checked.error))} off (wanted: at most ${percent(ERROR_MAX)})${isRight ? '' : ': measure this machine with npm run bench:model'}`,
  );
  return isRight ? 0 : 1;
};
