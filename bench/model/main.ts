/**
 * `npm run bench:model` measures the cost model: what a call of each kind costs each part at 10, 30, 60 and 90 % of its
 * peak and at the peak, what it stores, what it sends over networks, and how often it waits for Redis. `npm run
 * capacity` uses it.
 */
import { commandLine, flag, misuse, number, textOr, whole } from '../command/main.ts';
import { totalOf } from '../cpu.ts';
import { REPORT, writePage } from '../reports/files.ts';
import { aligned, figure, say } from '../say.ts';
import { lawOf } from './curve.ts';
import { writeModel } from './files.ts';
import { KINDS, measureModel, minutesOf } from './measure/measure.ts';
import type { Kind } from './model.ts';
import { modelTables } from './tables.ts';

const QUICK = { seconds: 1, rounds: 1 };
const USUAL = { seconds: 3, rounds: 2 };
const about = (how: typeof USUAL): string => `${Math.round(minutesOf({ kinds: KINDS, ...how }))} minutes`;

const { values } = commandLine({
  name: 'npm run bench:model',
  about: `Measures what a call of each kind costs each part at 10, 30, 60 and 90 % of its peak and at the peak, what it stores, what it sends over networks, and how often it waits for Redis. Writes model.json and the report page to the report folder; npm run capacity uses them. It takes about ${about(USUAL)} on an idle machine.`,
  options: {
    kinds: {
      ...textOr(
        'names',
        KINDS.join(','),
        `kinds of calls: ${KINDS.join(', ')}; others stay as they are in the folder`,
      ),
      shown: 'all',
    },
    seconds: number('seconds of each load', USUAL.seconds, 0.5),
    rounds: whole('rounds of each kind; the cheapest counts', USUAL.rounds),
    quick: flag(`a rough answer: one round of a second, ${about(QUICK)}`),
    report: REPORT,
  },
  examples: [
    ['', 'the whole model'],
    ['--kinds "redirect,bulk 10" --quick --report /tmp/costs', 'a rough answer for two kinds'],
  ],
});
const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);
const kinds = values.kinds
  .split(',')
  .map((name) => name.trim())
  .map((name) =>
    isKind(name) ? name : misuse(`--kinds: there is no kind "${name}"; there are ${KINDS.join(', ')}`),
  );
const model = await measureModel({
  kinds,
  ...(values.quick ? QUICK : { seconds: Number(values.seconds), rounds: Number(values.rounds) }),
  onKind: ({ kind, peakPerS, levels }) =>
    say(
      `${kind.padEnd(18)} peak ${figure(peakPerS)} a second; us each ${levels.map(({ share, us }) => `${figure(share * 100)} %: ${figure(totalOf(us))}`).join(', ')}`,
    ),
});
for (const one of modelTables(model, lawOf(model))) say(`\n${one.title}\n\n${aligned(one)}`);
say(`\nmodel: ${await writeModel(values.report, model)}`);
await writePage(values.report);
