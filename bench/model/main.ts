/**
 * `npm run bench:model` measures the cost model: what a call of each kind costs each part at 10, 30, 60 and 90 % of
 * its peak, what it stores, what it sends over networks, and the effect of network latency to Redis. `npm run
 * capacity -- --plan` uses it.
 */
import { commandLine } from '../command/main.ts';
import { MODEL } from '../commands.ts';
import { parseMix } from '../load/mix.ts';
import { writePage } from '../reports/files.ts';
import { aligned, figure, say } from '../say.ts';
import { writeModel } from './files.ts';
import { KINDS, measureModel } from './measure/measure.ts';
import { allOf } from './model.ts';
import { modelTables } from './tables.ts';

const { values } = commandLine(MODEL);
const mix = values.kinds === '' ? [] : parseMix(values.kinds);
const kinds = typeof mix === 'string' || mix.length === 0 ? KINDS : mix.map(([name]) => name);
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
