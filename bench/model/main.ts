/**
 * `npm run bench:model` measures the cost model: what a call of each kind costs each part at 10, 30, 60 and 90 % of
 * its peak, what it stores, what it sends over networks, and the effect of network latency to Redis. `npm run
 * capacity -- --plan` uses it.
 */
import { commandLine, misuse, number, textOr, whole } from '../command/main.ts';
import { parseMix } from '../load/mix.ts';
import { REPORT, writePage } from '../reports/files.ts';
import { aligned, figure, say } from '../say.ts';
import { writeModel } from './files.ts';
import { KINDS, measureModel } from './measure/measure.ts';
import { allOf } from './model.ts';
import { modelTables } from './tables.ts';

const { values } = commandLine({
  name: 'npm run bench:model',
  about:
    'Measures what a call of each kind costs each part at 10, 30, 60 and 90 % of its peak, what it stores, what it sends over networks, and the effect of network latency to Redis. Writes model.json and the report page to the report folder; npm run capacity -- --plan uses them. It takes eight minutes on an idle machine.',
  options: {
    kinds: {
      ...textOr('names', KINDS.join(','), `kinds of calls: ${KINDS.join(', ')}`),
      shown: 'all',
    },
    seconds: number('seconds of each load', 3, 0.5),
    rounds: whole('rounds of each kind; the cheapest counts', 2),
    report: REPORT,
  },
  examples: [
    ['', 'the whole model'],
    ['--kinds "redirect,bulk 10" --rounds 1 --report /tmp/costs', 'a rough answer for two kinds'],
  ],
});
const mix = parseMix(values.kinds);
const kinds = typeof mix === 'string' ? misuse(`--kinds: ${mix}`) : mix.map(([name]) => name);
const model = await measureModel({
  kinds,
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  onKind: ({ kind, peakPerS, levels }) =>
    say(
      `${kind.padEnd(18)} peak ${figure(peakPerS)} a second; us per call ${levels.map(({ share, us }) => `${figure(share * 100)} %: ${figure(allOf(us))}`).join(', ')}`,
    ),
});
for (const one of modelTables(model)) say(`\n${one.title}\n\n${aligned(one)}`);
say(`\nmodel: ${await writeModel(values.report, model)}`);
await writePage(values.report);
