/** Plans of months: machines, money, what fills up first, and how they are shown. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { lawOf } from '../../bench/model/curve.ts';
import { BATCH_CODE, type CostModel } from '../../bench/model/model.ts';
import { answerTo } from '../../bench/model/plan/answer.ts';
import { callsPerS, loadOf } from '../../bench/model/plan/load.ts';
import { csvOf, pageOf } from '../../bench/model/plan/page.ts';
import { type Plan, parsePlan } from '../../bench/model/plan/plan-file.ts';
import { backlogOf, latencyMs, waitMs } from '../../bench/model/plan/room.ts';
import { fleetNow, useOf } from '../../bench/model/plan/size.ts';
import { storageOf } from '../../bench/model/plan/storage.ts';
import { fillings, plannedMonths } from '../../bench/model/plan/year.ts';
import { model } from './made-up-model.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const EXAMPLE = path('../../bench/model/plan.example.yaml');
const SCRIPT = path('../../dist/bench/capacity/main.js');
const FOLDER = dirname(EXAMPLE);
const reference = JSON.parse(readFileSync(path('../../bench/model/reference.json'), 'utf8')) as CostModel;
const example = readFileSync(EXAMPLE, 'utf8');

const law = lawOf(model);
const near = (one: number, other: number, error = 1e-6): boolean =>
  Math.abs(one - other) <= error * Math.max(1, Math.abs(other));

const TEXT = `
from: 2027-01
months: 12
tenants:
  - { name: shops, accounts: 100, growthAMonth: 0.1, season: { 12: 2 }, callsADay: { redirect: 4320000 }, busiest: 4 }
  - { name: papers, accounts: 10, callsADay: { render hit 300: 8640 }, busiest: 2, burst: { times: 1000, seconds: 10 } }
  - { name: makers, accounts: 5, callsADay: { bulk 10: 864 }, busiest: 3 }
events:
  - { name: Black Friday labels, date: 2027-11-26, codes: 1000000 }
  - { name: mailing, date: 2027-03-01, calls: { signed miss 300: 3600000 }, hours: 2 }
regions: [{ name: here, share: 1, machines: 2 }]
gateways: { instance: c7g.xlarge }
redis: { instance: cache.r7g.large }
postgres: { instance: db.m7g.xlarge, diskGb: 500 }
prices: prices.aws.yaml
`;
const planOf = (text: string): Plan => {
  const plan = parsePlan(text, FOLDER, law.kinds.keys());
  if (!('tenants' in plan)) throw new Error(plan.join('; '));
  return plan;
};
const plan = planOf(TEXT);
const months = plannedMonths(law, plan);

t.test('the load of a month has growth, season and events', async (t) => {
  const at = (index: number) => loadOf(plan, index);
  t.ok(near(at(0).mean.redirect!, 5000) && near(at(0).busiest.redirect!, 20_000));
  t.ok(near(at(5).mean.redirect!, 5000 * 1.1 ** 5), 'accounts become a tenth more each month');
  t.ok(near(at(11).mean.redirect!, 2 * 5000 * 1.1 ** 11), 'December is twice the others');
  t.equal(at(12).name, '2028-01');
  t.ok(near(at(2).busiest['signed miss 300']!, 500), 'a mailing comes within its hours');
  t.equal(at(3).busiest['signed miss 300'], undefined);
  t.match(at(10).batches, [{ name: 'Black Friday labels', codes: 1_000_000 }]);
  const [burst] = at(0).bursts;
  t.ok(near(burst!.rates['render hit 300']!, 1000), 'a burst is a multiple of the mean of its tenant');
});

t.test(
  'a year has a row for each month, with machines that serve also when the spare ones have failed',
  async (t) => {
    t.equal(months.length, 12);
    for (const { load, use, waitMs } of months) {
      t.ok(use[1].gateways[0]! <= plan.busyShare, `${load.name}: N-1`);
      t.ok(use[0].gateways[0]! < use[1].gateways[0]! && use[1].gateways[0]! < use[2].gateways[0]!);
      t.ok(waitMs[1][0]! > 0);
    }
    const two = planOf(TEXT.replace('c7g.xlarge }', 'c7g.xlarge, spare: 2 }'));
    for (const { use } of plannedMonths(law, two)) t.ok(use[2].gateways[0]! <= plan.busyShare, 'N-2');
    const machines = months.map(({ fleet }) => fleet.machines[0]!);
    t.ok(machines[11]! > machines[10]! && machines[0]! >= 2, 'more in the season, and never fewer than now');
    t.ok(months.every(({ bill }) => Object.values(bill).every((money) => money >= 0)));
  },
);

t.test(
  'a batch of a million takes as long as one gateway process makes it, if nothing is full',
  async (t) => {
    const quiet = planOf(
      TEXT.replaceAll(/callsADay: \{[^}]*\}/g, 'callsADay: { redirect: 1 }').replace(
        'c7g.xlarge',
        'c7g.large',
      ),
    );
    const { batches, fleet } = plannedMonths(law, quiet)[10]!;
    const processes = 2 * fleet.machines[0]!;
    t.ok(near(batches[0]!.minutes, 1e6 / 5000 / 60 / processes, 0.05));
    const referenceLaw = lawOf(reference);
    const measuredS = Number(
      /a million dynamic codes in a batch[^|]*\| (\d+) s/.exec(
        readFileSync(path('../../docs/benchmarks.md'), 'utf8'),
      )![1],
    );
    const predictedS = 1e6 / referenceLaw.kinds.get(BATCH_CODE)!.cost.peakPerS;
    t.ok(
      near(predictedS / measuredS, 1, 0.15),
      `${predictedS} s, and bench:parts -- batches measured ${measuredS} s`,
    );
    const hurried = planOf(TEXT.replace('codes: 1000000', 'codes: 1000000, withinMinutes: 1'));
    const busy = plannedMonths(law, hurried)[10]!;
    t.ok(busy.batches[0]!.minutes <= 1 && busy.fleet.machines[0]! >= months[10]!.fleet.machines[0]!);
  },
);

t.test('more machines are less busy, and a region without any has no limit', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 11 }), (machines, index) => {
      const [one, two] = [machines, 2 * machines].map((count) =>
        useOf(law, plan, loadOf(plan, index).busiest, { ...fleetNow(plan), machines: [count] }),
      );
      return two!.gateways[0]! < one!.gateways[0]!;
    }),
  );
  const none = useOf(law, plan, loadOf(plan, 0).busiest, { ...fleetNow(plan), machines: [0] });
  t.equal(none.gateways[0], Number.POSITIVE_INFINITY);
});

t.test('what fills up first is told with its month', async (t) => {
  const [first, ...others] = fillings(law, plan);
  t.notSame(first!.month, null);
  t.ok(others.every(({ month }) => month === null || month >= first!.month!));
  const [disk] = fillings(law, planOf(TEXT.replace('diskGb: 500', 'diskGb: 0.001')));
  t.match(disk, { part: 'disk of Postgres', month: '2027-01' });
  const small = planOf(
    TEXT.replaceAll(/callsADay: \{[^}]*\}/g, 'callsADay: { redirect: 1 }').replace(
      / {2}- \{ name: mailing.*/,
      '',
    ),
  );
  t.ok(fillings(law, small).every(({ month }) => month === null));
  t.match(answerTo(model, law, small).sentences.join(' '), 'is enough for all 12 months');
});

t.test('what no price list serves is told', async (t) => {
  const large = planOf(TEXT.replace('bulk 10: 864', 'bulk 10: 864000000'));
  t.match(
    answerTo(model, law, large).sentences.join(' '),
    /In 2027-01 Postgres is \d+ % busy: nothing in the price list is enough/,
  );
});

t.test('data are kept as long as the plan says', async (t) => {
  const kept = (text: string) => storageOf(law, planOf(`${TEXT}\n${text}`));
  const [forever, year] = [
    kept('retention: { years: 3 }'),
    kept('retention: { years: 3, scansMonths: 12, codesMonths: 1 }'),
  ];
  t.equal(forever.length, 36);
  t.equal(forever[11]!.scans, year[11]!.scans);
  t.ok(year[12]!.scans < forever[12]!.scans && year[1]!.codes < forever[1]!.codes);
  t.ok(near(forever[0]!.codes, (5 * 864 * 10 * (365 / 12) * 340) / 1e9), '340 bytes a code');
  t.ok(forever[10]!.batches > 0 && forever[9]!.batches === 0);
});

t.test('waiting, bursts and distance', async (t) => {
  const mm1 = { busy: 0.5, processes: 1, burstiness: 1 };
  // One kind always takes as long, so the queue is M/D/1: waits are half of those of M/M/1, 2 ln(50) / 2 times a call.
  t.ok(near(waitMs(law, { redirect: 1000 }, mm1), (0.5 * Math.log(50)) / 2 / 0.5));
  t.equal(waitMs(law, { redirect: 1000 }, { ...mm1, busy: 1 }), Number.POSITIVE_INFINITY);
  t.equal(
    waitMs(law, { redirect: 1000 }, { ...mm1, burstiness: 0 }),
    0,
    'evenly spaced equal calls do not wait',
  );
  t.strictSame(backlogOf(0.9, 0.5, 20), { longestS: 0, drainS: 0 });
  t.strictSame(backlogOf(3, 0.5, 20), { longestS: 40, drainS: 80 });
  const rates = { 'render hit 300': 5 };
  const far = latencyMs(law, rates, { redisMs: 20, callerMs: 7 });
  t.equal(far - latencyMs(law, rates, { redisMs: 0, callerMs: 0 }), 1.5 * 20 + 7);
});

t.test('a plan', async (t) => {
  const faults = (from: string | RegExp, to: string) =>
    parsePlan(TEXT.replace(from, to), FOLDER, law.kinds.keys());
  t.test('names the field of each fault', async (t) => {
    t.strictSame(faults('machines: 2', 'machines: 0'), ['regions[0].machines must be >= 1']);
    t.strictSame(faults('share: 1, machines', 'share: 1, machin'), [
      'regions[0].machines is missing',
      'regions[0].machin is unknown',
    ]);
    t.match(faults('bulk 10: 864', 'gradient flood: 864'), [
      /^tenants\[2\]\.callsADay\.gradient flood: there is no such kind of call in a plan; there are render hit 300, /,
    ]);
    t.match(faults('bulk 10: 864', 'save plain: 864'), [
      /the cost model has only redirect, .*; npm run bench:model -- --kinds "save plain" adds it$/,
    ]);
    t.strictSame(faults('2027-11-26', '2028-11-26'), [
      'events[0].date must be a day from 2027-01 to 2027-12',
    ]);
    t.match(faults('from: 2027-01', 'from: soon'), [
      'from must be a month such as 2027-01, the first one of the plan',
    ]);
    t.strictSame(faults(', hours: 2', ''), ['events[1].hours is missing beside calls']);
    t.strictSame(faults(', codes: 1000000', ''), ['events[0] must have either calls and hours, or codes']);
    t.strictSame(faults('share: 1', 'share: 0.4'), ['the shares of the regions must add up to 1']);
    t.match(faults('c7g.xlarge', 'c9'), [/^gateways\.instance: AWS, Frankfurt \(example\) has c7g\.large, /]);
    t.match(faults('prices.aws.yaml', 'none.yaml'), [/^prices: ENOENT/]);
    t.match(parsePlan('tenants: [', FOLDER, []), [/at line 1/]);
    t.match(parsePlan('12', FOLDER, []), ['the file must be object']);
  });

  t.test('of the repository is valid with each of its price lists', async (t) => {
    for (const name of ['aws', 'google', 'hetzner']) {
      t.ok(existsSync(`${FOLDER}/prices.${name}.yaml`));
      const types = {
        google: ['c4a-standard-4', 'memorystore-5', 'sql-4'],
        hetzner: ['ccx23', 'ccx13', 'ccx23'],
        aws: ['c7g.xlarge', 'cache.r7g.large', 'db.m7g.large'],
      }[name]!;
      const text = example
        .replace('prices.aws.yaml', `prices.${name}.yaml`)
        .replace('instance: c7g.xlarge', `instance: ${types[0]}`)
        .replace('instance: cache.r7g.large', `instance: ${types[1]}`)
        .replace('instance: db.m7g.large', `instance: ${types[2]}`);
      const kinds = [...lawOf(reference).kinds.keys()];
      t.ok('tenants' in parsePlan(text, FOLDER, kinds), `${name}: ${parsePlan(text, FOLDER, kinds)}`);
    }
  });

  t.test('is answered without missing numbers, on a page without scripts and as CSV', async (t) => {
    const answer = answerTo(model, law, plan);
    for (const { title, head, rows } of answer.sections) {
      t.ok(
        rows.every((row) => row.length === head.length),
        title,
      );
      t.notMatch(rows.flat().join(' '), /NaN|Infinity|undefined/, title);
    }
    const [table] = answer.sections;
    t.equal(table!.rows.length, 12);
    t.ok(table!.head.includes('busy N-1'));
    const page = pageOf({ ...answer, title: 'A <plan> & more' });
    t.match(page, '<h1>A &lt;plan&gt; &amp; more</h1>');
    t.notMatch(page, /<script|NaN|undefined|https?:/);
    t.equal(page.match(/<svg /g)?.length, 2);
    t.equal(page.match(/<table>/g)?.length, answer.sections.length);
    t.equal(csvOf(answer).trim().split('\n').length, 13);
    t.ok(callsPerS(months[0]!.load.busiest) > 0);
  });

  t.test('is answered by the command without load, and an invalid plan exits with 2', async (t) => {
    const folder = t.testdir();
    const run = (file: string) =>
      new Promise<{ code: number | string; output: string }>((resolve) => {
        execFile(process.execPath, [SCRIPT, '--plan', file, '--report', folder], (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, output: stdout + stderr }),
        );
      });
    const { code, output } = await run(EXAMPLE);
    t.equal(code, 0, output);
    for (const title of ['gateway machines', 'Machines and money by month', 'Data in GB', 'Assumptions'])
      t.match(output, title);
    t.match(readFileSync(`${folder}/plan.html`, 'utf8'), '<!doctype html>');
    t.match(readFileSync(`${folder}/plan.csv`, 'utf8'), /^month,/);
    const missing = await run('/nonexistent/plan.yaml');
    t.equal(missing.code, 2);
    t.match(missing.output, 'cannot be read');
  });
});
