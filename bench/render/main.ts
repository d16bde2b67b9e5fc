/**
 * `npm run bench:render` measures what a picture costs in each lane, compared with `qrcode` and with resvg alone.
 *
 * It measures processor time in one process. Compared cases alternate, round after round, so that what slows the
 * machine down slows both; each figure is the median of its rounds. Ends with 1 when a target is missed.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { commandLine } from '../command/main.ts';
import { median } from '../stats.ts';
import { type Case, casesOf, TEXT_LENGTHS } from './cases.ts';
import { type Figure, judge, type Verdict } from './targets.ts';

const ROUNDS = 11;
/** How long a case runs in each round. A case above `SLOW_MS` runs once in each of fewer rounds. */
const ROUND_MS = 12;
const SLOW_MS = 100;
const SLOW_ROUNDS = 3;
const WARM_UP_MS = 60;

const { values } = commandLine({
  name: 'npm run bench:render',
  about:
    'Measures what a picture costs in each lane, compared with qrcode and with resvg alone, as processor time in one process. Ends with 1 when a target is missed.',
  options: { json: { type: 'string', value: 'file', text: 'also writes the figures there' } },
  examples: [
    ['', 'prints the figures and their targets'],
    ['--json render.json', 'keeps them too'],
  ],
});

/** Mean processor time of one run in ms, over all threads of the process: `toBuffer` deflates in a thread pool. */
async function cpuMsOf({ run }: Case, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

async function measure(cases: readonly Case[]): Promise<readonly Figure[]> {
  const plans = [];
  for (const one of cases) {
    const made = await one.run();
    const bytes = made instanceof Uint8Array ? made.length : 0;
    const firstMs = await cpuMsOf(one, 1);
    const roughMs = firstMs > SLOW_MS ? firstMs : await cpuMsOf(one, Math.ceil(WARM_UP_MS / firstMs));
    const isSlow = roughMs > SLOW_MS;
    const times = isSlow ? 1 : Math.ceil(ROUND_MS / roughMs);
    plans.push({ one, bytes, times, rounds: isSlow ? SLOW_ROUNDS : ROUNDS, cpuMs: [] as number[] });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { one, times, rounds, cpuMs } of plans) {
      if (round < rounds) cpuMs.push(await cpuMsOf(one, times));
    }
  }
  return plans.map(({ one: { name, textLength, widthPx }, bytes, cpuMs }) => ({
    ...{ name, textLength, widthPx, bytes },
    cpuMs: median(cpuMs),
  }));
}

function printFigures(figures: readonly Figure[]): void {
  console.log('characters  px    case                             cpu ms       bytes');
  for (const { name, textLength, widthPx, cpuMs, bytes } of figures) {
    const place = `${String(textLength).padStart(10)}  ${String(widthPx || '').padStart(4)}`;
    const size = bytes === 0 ? '' : String(bytes).padStart(10);
    console.log(`${place}  ${name.padEnd(28)} ${cpuMs.toFixed(3).padStart(10)}  ${size}`);
  }
}

function printVerdicts(verdicts: readonly Verdict[]): void {
  console.log('\n   times  wanted  60 characters, level Q');
  for (const { what, ratio, atLeast, isMet } of verdicts) {
    const numbers = `${ratio.toFixed(2).padStart(8)}  ${atLeast.toFixed(2).padStart(6)}`;
    console.log(`${numbers}  ${what}${isMet ? '' : '  MISSED'}`);
  }
}

const figures: Figure[] = [];
for (const textLength of TEXT_LENGTHS) figures.push(...(await measure(casesOf(textLength))));
const verdicts = judge(figures);
printFigures(figures);
printVerdicts(verdicts);
if (values.json !== undefined) {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', node: process.version };
  writeFileSync(values.json, `${JSON.stringify({ machine, figures, targets: verdicts }, null, 2)}\n`);
}
process.exitCode = verdicts.every(({ isMet }) => isMet) ? 0 : 1;
