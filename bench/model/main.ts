/**
 * `npm run bench:model` measures what a call of each kind costs each part at 10, 30, 60 and 90 % of its peak, what it leaves
 * in the stores and sends over networks, and what distance to Redis does. `npm run capacity -- --plan` computes with it.
 *
 *   --kinds "redirect,bulk 10"   only these kinds of calls
 *   --seconds 4                  of each load
 *   --rounds 2                   rounds of each kind; the cheapest counts
 *   --report bench/report        folder of `model.json`
 */
import { parseArgs } from 'node:util';
import { isRecipeName } from '../load/recipes.ts';
import { REPORT_FOLDER } from '../page/files.ts';
import { figure, say, table } from '../say.ts';
import { writeModel } from './files.ts';
import { KINDS, measureModel } from './measure.ts';
import { allOf } from './model.ts';
import { modelTables } from './tables.ts';

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: KINDS.join(',') },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    report: { type: 'string', default: REPORT_FOLDER },
  },
});
const kinds = values.kinds.split(',').map((name) => {
  if (!isRecipeName(name))
    throw new Error(`--kinds: there is no kind "${name}"; there are ${KINDS.join(', ')}`);
  return name;
});
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
