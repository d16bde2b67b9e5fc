/** How many passwords of links are tried, and whom those who guess keep waiting. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { createLinkPasswords } from '../../../src/http/limits/link-passwords.ts';

const LOCK = { passwordHash: 'the hash of right', firstSlug: 'abcdefgh' };
const REFUSED = { code: 'rate_limited' };

/** A check that lets each try end when it is told to. */
const start = () => {
  const running: (() => void)[] = [];
  const tried: string[] = [];
  const check = createLinkPasswords(async (password, stored) => {
    tried.push(password);
    await new Promise<void>((resolve) => running.push(resolve));
    return stored === `the hash of ${password}`;
  });
  /** Ends all tries, also those that begin then. */
  const endAll = async (): Promise<void> => {
    for (let turns = 0; turns < 100; turns += 1) {
      running.shift()?.();
      await nextTurn();
    }
  };
  return { check, tried, running, endAll };
};

t.test('a right password is tried once for a link, and a wrong one each time', async (t) => {
  const { check, tried, endAll } = start();
  const sent = async (password: string, lock = LOCK) => {
    const answer = check('192.0.2.1', lock, password);
    await endAll();
    return answer;
  };
  t.strictSame([await sent('right'), await sent('right'), await sent('right')], [true, true, true]);
  t.strictSame(tried, ['right']);
  t.equal(
    await sent('right', { ...LOCK, passwordHash: 'the hash of another' }),
    false,
    'of another password',
  );
  t.strictSame([await sent('x'), await sent('x')], [false, false]);
  t.strictSame(tried, ['right', 'right', 'x', 'x']);
});

t.test('an address tries five wrong passwords, also of those that it sends at once', async (t) => {
  const { check, tried, endAll } = start();
  const answers = Array.from({ length: 30 }, (_, n) => check('192.0.2.1', LOCK, `wrong ${n}`));
  const settled = Promise.allSettled(answers);
  await endAll();
  const ended = await settled;
  t.equal(ended.filter(({ status }) => status === 'fulfilled').length, 5);
  t.equal(tried.length, 5);
  await t.rejects(check('192.0.2.1', LOCK, 'right'), REFUSED, 'the right one waits too');
});

t.test('one that is right and was tried is refused as others are to those who guess', async (t) => {
  const { check, endAll } = start();
  const sent = async (address: string, password: string) => {
    const answer = check(address, LOCK, password);
    await endAll();
    return answer;
  };
  t.equal(await sent('192.0.2.1', 'right'), true);
  for (let n = 0; n < 5; n += 1) await sent('192.0.2.2', 'wrong');
  await t.rejects(check('192.0.2.2', LOCK, 'right'), REFUSED);
  t.equal(await check('192.0.2.1', LOCK, 'right'), true, 'nobody else is');
});

t.test('tries run one after another, and networks take turns', async (t) => {
  const { check, tried, running, endAll } = start();
  const first = [1, 2, 3].map((n) => check('2001:db8::1', LOCK, `first ${n}`));
  const second = check('2001:db8:0:1::1', LOCK, 'right');
  await nextTurn();
  t.equal(running.length, 1);
  await endAll();
  t.strictSame(await Promise.all([...first, second]), [false, false, false, true]);
  t.strictSame(tried, ['first 1', 'right', 'first 2', 'first 3']);
});
