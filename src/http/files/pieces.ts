/** Sends long texts in pieces, each in a turn of the event loop of its own: a fast reader would get all of it in one. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { payerNow, payRest } from '../../payer/payer.ts';

/** A longer text is sent in pieces of this length. */
export const PIECE_CHARACTERS = 65_536;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** Yields the pieces of a text. No character is in two of them. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + PIECE_CHARACTERS;
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

/** Returns a stream of pieces. The account whose turn it is pays for all of them, and rests before each but the first. */
export const sendPieces = (pieces: Iterable<string>): Readable => {
  const payer = payerNow();
  const write = async function* () {
    let isFirst = true;
    for (const piece of pieces) {
      if (!isFirst) await setImmediate();
      if (!isFirst && payer !== null) {
        await payer.rest();
        payRest(payer);
      }
      isFirst = false;
      yield piece;
    }
  };
  return Readable.from(write());
};
