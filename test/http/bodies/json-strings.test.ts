/** The decoders of long JSON strings, compared with `JSON.parse`. */
import fc from 'fast-check';
import t from 'tap';
import { decodeInPieces, decodePlain } from '../../../src/http/bodies/json-parts.ts';

const parsed = (bytes: Buffer): string | null => {
  try {
    return JSON.parse(
      `"${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)}"`,
    ) as string;
  } catch {
    return null;
  }
};

const piece = fc.oneof(
  fc.stringMatching(/^[ !#-[\]-~]{0,5}$/),
  fc.constantFrom(
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u0041',
    '\\u0000',
    '\\u20AC',
    '\\uD83D\\uDE00',
    'ü',
    '€',
    '😀',
  ),
  fc.constantFrom('\\x', '\\u00', '\\u00g0', '\\u 041', '\\', '\x1f', '\n'),
);
/** What may stand between quotation marks, valid or not: each quotation mark in it follows a backslash. */
const written = fc
  .array(fc.oneof({ weight: 9, arbitrary: piece }, fc.constant('\\\\\\\\\\\\')), { maxLength: 24 })
  .filter((pieces) => /^(?:[^"\\]|\\.)*\\?$/s.test(pieces.join('')))
  .map((pieces) => Buffer.from(pieces.join('')));

t.test('a string is decoded as JSON.parse does, wherever its pieces end', async (t) => {
  fc.assert(
    fc.property(written, fc.integer({ min: 16, max: 40 }), (bytes, pieceBytes) => {
      try {
        return [...decodeInPieces(bytes, pieceBytes)].join('') === parsed(bytes);
      } catch (error) {
        return error instanceof SyntaxError && parsed(bytes) === null;
      }
    }),
    { numRuns: 5000 },
  );
  t.throws(() => [...decodeInPieces(Buffer.of(0xff))], SyntaxError);
});

t.test('only printable ASCII without escapes is decoded at once, also in pieces', async (t) => {
  fc.assert(
    fc.property(written, fc.nat(), (bytes, cut) => {
      const at = cut % (bytes.length + 1);
      const isPlain = bytes.every((byte) => byte >= 0x20 && byte < 0x80 && byte !== 0x5c);
      const text = decodePlain([bytes.subarray(0, at), bytes.subarray(at)]);
      return text === (isPlain ? bytes.toString('latin1') : null);
    }),
    { numRuns: 3000 },
  );
  const bytes = Buffer.alloc(2 * 1024 * 1024, 'x');
  t.equal(decodePlain([bytes])?.length, bytes.length);
  t.equal(decodePlain([bytes, Buffer.from('y')]), null, 'more than 2 MiB');
  t.equal(decodePlain([bytes.subarray(0, -1), Buffer.from('\x1f')]), null, 'a control character at the end');
});
