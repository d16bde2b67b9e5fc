/** What is made at its first use, or before it while there is time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { createOnce } from '../../src/http/compile.ts';

const names = ['a', 'b', 'c', 'd'];

/** Returns what makes the names, and which of them were made so far. */
const start = () => {
  const { once, makeAll } = createOnce();
  const made: string[] = [];
  const getters = names.map((name) =>
    once(() => {
      made.push(name);
      return name;
    }),
  );
  return { made, getters, makeAll };
};

t.test('a value is made once, at its first use or before', async (t) => {
  const { made, getters, makeAll } = start();
  t.equal(getters[2]!(), 'c');
  await makeAll(new AbortController().signal);
  t.strictSame(made, ['c', 'a', 'b', 'd']);
  t.strictSame(
    getters.map((get) => get()),
    names,
  );
  t.equal(made.length, 4);
});

t.test('each is made in a turn of its own, and none after the end', async (t) => {
  const { made, makeAll } = start();
  const ended = new AbortController();
  const all = makeAll(ended.signal);
  t.strictSame(made, ['a']);
  while (made.length < 2) await nextTurn();
  t.strictSame(made, ['a', 'b']);
  ended.abort();
  await t.rejects(all, { name: 'AbortError' });
  t.strictSame(made, ['a', 'b']);
});
