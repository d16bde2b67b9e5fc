/** Places of streamed answers: who gets one, and whose is given to another. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createStreamPlaces, type StreamPlace } from '../../src/limits/stream-places.ts';

const LOOKED_MS = 600;

const setUp = () => {
  const clock = { nowMs: 0 };
  const places = createStreamPlaces({ max: 4, maxOfAccount: 2, noun: 'downloads' }, () => clock.nowMs);
  const cut: string[] = [];
  const enter = async (accountId: string, name = accountId): Promise<StreamPlace> => {
    const place = await places.enter(accountId);
    place.onCut(() => cut.push(name));
    return place;
  };
  return { clock, places, enter, cut };
};

t.test('an account that has its places, or waits for them, is refused at once', async (t) => {
  const { places, enter } = setUp();
  await Promise.all([enter('a'), enter('a'), enter('b')]);
  await t.rejects(enter('a'), {
    code: 'rate_limited',
    retryAfterS: 10,
    message: /downloads of this account are open; it may have 2 at a time/,
  });
  const last = await enter('c');
  const waits = [enter('d'), enter('d')];
  await t.rejects(enter('d'), { code: 'rate_limited' });
  t.strictSame(places.stats(), { open: 4, waiting: 2 });
  last.leave();
  last.leave();
  const first = await waits[0]!;
  t.strictSame(places.stats(), { open: 4, waiting: 1 }, 'a place is freed once');
  first.leave();
  await waits[1];
});

t.test('a place becomes free for the account that has the fewest, and then the longest wait', async (t) => {
  const { enter } = setUp();
  const open = [await enter('a'), await enter('b'), await enter('b'), await enter('c')];
  const got: string[] = [];
  const waits = ['a', 'd', 'e'].map(async (id) => {
    await enter(id);
    got.push(id);
  });
  for (const place of open.slice(1)) {
    place.leave();
    await sleep(1);
  }
  await Promise.all(waits);
  t.strictSame(got, ['d', 'e', 'a']);
});

t.test('who waits gets the place of a reader that has stood still for ten seconds', async (t) => {
  const { clock, places, enter, cut } = setUp();
  const [slow, dripping, fast, making] = await Promise.all(
    [
      ['a', 'slow'],
      ['a', 'dripping'],
      ['b', 'fast'],
      ['b', 'making'],
    ].map(([id, name]) => enter(id!, name)),
  );
  for (const place of [slow!, dripping!, fast!]) place.awaitReader();
  // Nothing was written, so the reader of this one is not late.
  making!.awaitReader();
  making!.taken(1);
  for (let second = 1; second <= 9; second += 1) {
    clock.nowMs += 1000;
    for (const [place, bytes] of [
      [dripping!, 7000],
      [fast!, 65_536],
    ] as const) {
      place.taken(bytes);
      place.awaitReader();
    }
  }
  const waits = enter('c');
  await sleep(LOOKED_MS);
  t.strictSame([cut, places.stats()], [[], { open: 4, waiting: 1 }]);
  clock.nowMs += 1000;
  await waits;
  t.strictSame(cut, ['slow']);
  slow!.leave();
  t.strictSame(places.stats(), { open: 4, waiting: 0 }, 'the place has gone to another');

  const more = enter('d');
  clock.nowMs += 5000;
  await sleep(LOOKED_MS);
  t.strictSame(cut, ['slow', 'dripping'], 'less than 64 KiB in ten seconds is standing still');
  await more;
});

t.test('who has waited for 15 s is refused', async (t) => {
  const { clock, places, enter } = setUp();
  await Promise.all(['a', 'a', 'b', 'b'].map((id) => enter(id)));
  const refused = t.rejects(enter('c'), { code: 'overloaded', retryAfterS: 10 });
  clock.nowMs = 14_999;
  await sleep(LOOKED_MS);
  t.equal(places.stats().waiting, 1);
  clock.nowMs = 15_000;
  await refused;
  t.strictSame(places.stats(), { open: 4, waiting: 0 });
});
