/**
 * `npm run bench:model` measures the cost model: what a call of each kind costs each part at 10, 30, 60 and 90 % of its
 * peak and at the peak, what it stores, what it sends over networks, and how often it waits for Redis. `npm run
 * capacity` uses it.
 */
import { commandLine } from '../../test/support/command.ts';
import { MODEL } from '../commands.ts';
import { totalOf } from '../cpu.ts';
import { writePage } from '../reports/files.ts';
import { aligned, figure, say } from '../say.ts';
import { lawOf } from './curve.ts';
import { writeModel } from './files.ts';
import { QUICK } from './kinds.ts';
import { measureModel } from './measure/measure.ts';
import { modelTables } from './tables.ts';

const { values, wanted: kinds } = commandLine(MODEL);
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
