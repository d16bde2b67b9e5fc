/** `npm run study:rules` decides random requests by the product and by a model of its documentation. */
import { randomInt } from 'node:crypto';
import { say, show, tableOf } from '../../../bench/say.ts';
import { commandLine, text, whole } from '../../support/command.ts';
import { compareDecisions } from './compare.ts';

const { values } = commandLine({
  name: 'npm run study:rules',
  about:
    'Decides random requests over random rules by the product and by a model that was written from docs/api/link-rules.md alone, and prints the first ones that they decide differently. Exits with 1 when there are any.',
  options: {
    requests: whole('requests, twenty over each list of rules', 1_000_000),
    seed: { ...text('n', 'draws the requests of an earlier run again'), least: 1, isWhole: true },
  },
  examples: [['--requests 20000 --seed 7', 'a rough answer, always the same']],
} as const);

const seed = Number(values.seed ?? randomInt(1, 2 ** 31 - 1));
say(`seed ${seed}`);
const { asked, led, disagreements } = compareDecisions(Number(values.requests), seed);
const rows = [...led].sort(([one], [other]) => one.localeCompare(other));
show(
  tableOf(rows, [
    ['led by', ([rule]) => rule],
    ['requests', ([, count]) => count],
  ]),
);
for (const disagreement of disagreements) say(`\n${JSON.stringify(disagreement, null, 1)}`);
say(`\n${asked} requests, ${disagreements.length} decided differently`);
process.exitCode = disagreements.length === 0 ? 0 : 1;
