/**
 * `npm run bench:model` measures what a call of each kind costs each part at 10, 30, 60 and 90 % of its peak, what it
 * leaves in the stores and sends over networks, and what distance to Redis does. `npm run capacity -- --plan` computes
 * with it.
 */
import { commandLine, misuse } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { isRecipeName } from '../load/recipes.ts';
import { REPORT_FOLDER, writePages } from '../page/files.ts';
import { figure, say, table } from '../say.ts';
import { writeModel } from './files.ts';
import { KINDS, measureModel } from './measure/measure.ts';
import { allOf } from './model.ts';
import { modelTables } from './tables.ts';

const { values } = commandLine({
  name: 'npm run bench:model',
  about:
    'Measures what a call of each kind costs each part at 10, 30, 60 and 90 % of its peak, what it leaves in the stores and sends over networks, and what distance to Redis does. Leaves model.json and the pages in the folder of the report; npm run capacity -- --plan computes with it. It takes eight minutes on an idle machine.',
  options: {
    kinds: {
      type: 'string',
      default: KINDS.join(','),
      shown: 'all',
      value: 'names',
      text: `kinds of calls: ${KINDS.join(', ')}`,
    },
    seconds: { type: 'string', default: '3', value: 'n', least: 0.5, text: 'seconds of each load' },
    rounds: whole('rounds of each kind; the cheapest counts', 2),
    report: {
      type: 'string',
      default: REPORT_FOLDER,
      shown: 'bench/report',
      value: 'folder',
      text: 'folder of the report',
    },
  },
  examples: [
    ['', 'the whole model'],
    ['--kinds "redirect,bulk 10" --rounds 1 --report /tmp/costs', 'a rough answer for two kinds'],
  ],
});
const kinds = values.kinds
  .split(',')
  .map((name) =>
    isRecipeName(name) ? name : misuse(`--kinds: there is no kind "${name}"; there are ${KINDS.join(', ')}`),
  );
const model = await measureModel({
  kinds,
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  onKind: ({ kind, peakPerS, levels }) =>
    say(
      `${kind.padEnd(18)} peak ${figure(peakPerS)} a second; us a call ${levels.map(({ share, us }) => `${figure(share * 100)} %: ${figure(allOf(us))}`).join(', ')}`,
    ),
});
for (const { title, head, rows } of modelTables(model)) say(`\n${title}\n\n${table(head, rows)}`);
say(`\nmodel: ${await writeModel(values.report, model)}`);
await writePages(values.report);
