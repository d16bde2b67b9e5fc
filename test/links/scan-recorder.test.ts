import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createScanRecorder, type ScanRecorderOptions } from '../../src/links/scan-recorder.ts';
import type { Log } from '../../src/log.ts';
import { until } from '../servers/until.ts';
import { silent } from '../support/silent-log.ts';

interface Row {
  readonly id: number;
  readonly scan: string;
}

const AWAY = new Error('away');
const UNFIT = new Error('unfit');

/** A recorder that writes to a table which keeps each id once. */
const build = (options: Partial<ScanRecorderOptions<string, Row>> = {}, log: Log = silent) => {
  const table = new Map<number, string>();
  const batches: string[][] = [];
  const world = { away: false, answersLost: false, undescribed: false };
  let lastId = 0;
  const insert = async (rows: readonly Row[]) => {
    await sleep(0);
    batches.push(rows.map(({ scan }) => scan));
    if (world.away) throw AWAY;
    if (rows.some(({ scan }) => scan.startsWith('unfit'))) throw UNFIT;
    for (const { id, scan } of rows) table.set(id, scan);
    if (world.answersLost) throw AWAY;
  };
  const recorder = createScanRecorder<string, Row>(
    {
      describe: async (scans) => {
        if (world.undescribed) throw AWAY;
        return scans.map((scan) => {
          lastId += 1;
          return { id: lastId, scan };
        });
      },
      insert,
      isUnfit: (error) => error === UNFIT,
      maxBuffered: 1000,
      groupMax: 10,
      flushMs: 5,
      retryMs: 1,
      ...options,
    },
    log,
  );
  return { recorder, world, batches, kept: () => [...table.values()] };
};

const names = (count: number, prefix = 'scan') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

t.test('scans are written without further calls, in order and in batches', async (t) => {
  const { recorder, kept, batches } = build();
  for (const name of names(25)) recorder.record(name);
  await until(() => recorder.stats().buffered === 0, { pauseMs: 1 });
  t.strictSame(kept(), names(25));
  t.strictSame(
    batches.map((batch) => batch.length),
    [10, 10, 5],
  );
  t.strictSame(recorder.stats(), { buffered: 0, recorded: 25, dropped: 0, unfit: 0 });
  recorder.record('later');
  await until(() => recorder.stats().buffered === 0, { pauseMs: 1 });
  t.strictSame(kept().at(-1), 'later');
});

t.test('a few scans are collected into one batch', async (t) => {
  const { recorder, batches } = build({ flushMs: 60_000 });
  recorder.record('a');
  await sleep(5);
  recorder.record('b');
  await recorder.flush();
  t.strictSame(batches, [['a', 'b']]);
});

t.test('scans that cannot be described yet are kept', async (t) => {
  const { recorder, world, kept } = build();
  world.undescribed = true;
  for (const name of names(3)) recorder.record(name);
  await sleep(10);
  t.match(recorder.stats(), { buffered: 3 });
  world.undescribed = false;
  await recorder.flush();
  t.strictSame(kept(), names(3));
});

t.test('the buffer is bounded, and dropped scans are counted', async (t) => {
  const { recorder, world, kept } = build({ maxBuffered: 20 });
  world.away = true;
  for (const name of names(50)) recorder.record(name);
  t.match(recorder.stats(), { buffered: 20, dropped: 30 });
  world.away = false;
  await recorder.flush();
  t.strictSame(kept(), names(20), 'the first ones are kept');
  recorder.record('afterwards');
  await recorder.flush();
  t.strictSame(recorder.stats(), { buffered: 0, recorded: 21, dropped: 30, unfit: 0 });
});

t.test('the start and the end of an outage are logged once each, and so are lost scans', async (t) => {
  const lines: string[] = [];
  const note = (_: object, line: string) => void lines.push(line);
  const { recorder, world, batches } = build({ maxBuffered: 2 }, { ...silent, info: note, warn: note });
  recorder.record('before');
  await recorder.flush();
  t.strictSame(lines, [], 'nothing has failed yet');
  const lost = 'too many scans are buffered: further ones are lost';
  const away = 'scans cannot be recorded; buffering them';
  const again = 'scans recorded again';
  for (let outage = 0; outage < 2; outage += 1) {
    lines.length = 0;
    world.away = true;
    for (const name of names(4)) recorder.record(name);
    const tried = batches.length;
    await until(() => batches.length >= tried + 3, { pauseMs: 1 });
    world.away = false;
    await recorder.flush();
    t.strictSame(lines, [lost, away, again]);
  }
});

t.test('closing writes what is buffered and records nothing afterwards', async (t) => {
  const { recorder, kept } = build({ flushMs: 60_000 });
  for (const name of names(5)) recorder.record(name);
  await recorder.close(60_000);
  recorder.record('late');
  t.strictSame(kept(), names(5));
  t.strictSame(recorder.stats(), { buffered: 0, recorded: 5, dropped: 1, unfit: 0 });
});

t.test('closing waits a limited time for an unavailable database, and counts lost scans', async (t) => {
  const { recorder, world } = build({ retryMs: 60_000 });
  world.away = true;
  for (const name of names(30)) recorder.record(name);
  await recorder.close(10);
  t.strictSame(recorder.stats(), { buffered: 0, recorded: 0, dropped: 30, unfit: 0 });

  const silentDatabase = build({ insert: () => new Promise(() => {}) });
  silentDatabase.recorder.record('a');
  await silentDatabase.recorder.close(10);
  t.match(silentDatabase.recorder.stats(), { buffered: 0, dropped: 1 });
});

t.test('whatever fails, each scan is either written once or counted as lost', async () => {
  type Step = 'record' | 'unfit' | 'away' | 'answers lost' | 'well' | 'pause' | 'flush';
  const step = fc.constantFrom<Step>(
    'record',
    'record',
    'record',
    'unfit',
    'away',
    'answers lost',
    'well',
    'pause',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { recorder, world, kept } = build({ maxBuffered: 12, groupMax: 4, flushMs: 1 });
      let count = 0;
      let unfit = 0;
      for (const step of steps) {
        if (step === 'record') recorder.record(`scan${count++}`);
        if (step === 'unfit') recorder.record(`unfit${unfit++}`);
        if (step === 'pause') await sleep(1);
        if (step === 'away') world.away = true;
        if (step === 'answers lost') world.answersLost = true;
        if (step === 'well') Object.assign(world, { away: false, answersLost: false });
      }
      Object.assign(world, { away: false, answersLost: false });
      await recorder.close(60_000);
      const stats = recorder.stats();
      const rows = kept();
      const order = rows.map((row) => Number(row.slice('scan'.length)));
      return (
        new Set(rows).size === rows.length &&
        order.every((n, i) => i === 0 || n > order[i - 1]!) &&
        stats.recorded === rows.length &&
        stats.recorded + stats.dropped + stats.unfit === count + unfit
      );
    }),
    { numRuns: 150 },
  );
});
