import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { type Payer, payRest } from '../../../src/execution/payer.ts';
import { PIECE_CHARACTERS, piecesOf, sendPieces } from '../../../src/http/files/logo-answer.ts';
import { FREE_PAYER } from '../../support/free-payer.ts';

t.test('the pieces of a text are the text, and each is whole characters', async (t) => {
  const long = fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.string({ unit: 'binary', maxLength: 5 }), fc.nat(3))
    .map(([times, around, off]) => `${'x'.repeat(Math.max(0, times * PIECE_CHARACTERS - off))}${around}`)
    .chain((start) => fc.string({ unit: 'binary', maxLength: 5 }).map((end) => start + end));
  fc.assert(
    fc.property(
      long.filter((written) => written.isWellFormed()),
      (written) => {
        const pieces = [...piecesOf(written)];
        t.equal(pieces.join(''), written);
        t.ok(pieces.every((piece) => piece.isWellFormed() && piece.length <= PIECE_CHARACTERS + 1));
      },
    ),
  );
});

t.test('each piece has a turn of its own, for which the account pays, and rests in between', async (t) => {
  let [turns, rests, isWatching] = [0, 0, true];
  const watch = async () => {
    while (isWatching) {
      await setImmediate();
      turns += 1;
    }
  };
  void watch();
  const payer: Payer = {
    ...FREE_PAYER,
    rest: async () => {
      rests += 1;
    },
  };
  payRest(payer);
  const sent = sendPieces(Array.from({ length: 20 }, () => 'x'.repeat(PIECE_CHARACTERS)));
  t.equal((await text(sent)).length, 20 * PIECE_CHARACTERS);
  isWatching = false;
  t.equal(rests, 19, 'nobody waits for a rest after the last piece');
  t.ok(turns >= 19, `${turns} turns`);
});
