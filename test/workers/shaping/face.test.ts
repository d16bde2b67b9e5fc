/** Fonts as files: those that are read give the outlines of another reader, those that are broken end nothing. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { textFont } from '../../../workers/print/letters.ts';
import { openFace } from '../../../workers/shaping/face.ts';
import { toSfnt } from '../../../workers/shaping/woff.ts';

const require = createRequire(import.meta.url);
const mono = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'));
const woff = readFileSync(
  require.resolve('@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff'),
);

t.test('outlines are those of another reader', async (t) => {
  const face = openFace(mono);
  const other = textFont();
  t.equal(face.unitsPerEm, other.unitsPerEm);
  for (const character of 'aÅ8жΩ□ﬁ') {
    const { id, path, bbox } = other.glyphForCodePoint(character.codePointAt(0)!);
    const { commands, box } = face.outlineOf(id);
    const points = (from: typeof commands) =>
      new Set(from.flatMap(({ args }) => args.slice(-2).join()).filter((one) => one !== ''));
    t.strictSame(points(commands), points(path.commands), character);
    t.ok(box!.left * 2048 <= bbox.minX + 1 && box!.top * 2048 >= bbox.maxY - 1);
  }
  t.equal(face.outlineOf(other.glyphForCodePoint(32).id).box, null);
  t.ok(face.has('ß') && !face.has('日'));
});

/** Returns a WOFF of one table, whose entry says what it is told to. */
const woffOf = (packed: Buffer, bytes: number, offset = 64): Buffer => {
  const file = Buffer.alloc(64);
  file.write('wOFF\0\x01\0\0', 0, 'latin1');
  file.writeUInt16BE(1, 12);
  file.write('glyf', 44, 'latin1');
  for (const [at, value] of [offset, packed.length, bytes].entries()) file.writeUInt32BE(value, 48 + 4 * at);
  return Buffer.concat([file, packed]);
};

t.test('a WOFF is unpacked to what it says, and to no more', async (t) => {
  const sfnt = toSfnt(woff);
  t.equal(Buffer.from(sfnt).readUInt32BE(0), 0x10000);
  t.ok(sfnt.length > woff.length && openFace(woff).has('ก'));
  const zeros = Buffer.alloc(1_000_000);
  t.equal(toSfnt(woffOf(deflateSync(zeros), zeros.length)).length, 28 + zeros.length);
  t.throws(() => toSfnt(woffOf(deflateSync(zeros), 5000)), 'a table that is longer than it says');
  t.throws(() => toSfnt(woffOf(deflateSync(zeros), 2_000_000)), /cut off/);
  t.throws(() => toSfnt(woffOf(deflateSync(zeros), 2 ** 31)), /2147483676 bytes unpacked/);
  t.throws(() => toSfnt(woffOf(deflateSync(zeros), zeros.length, 2 ** 31)));
  t.throws(() => toSfnt(woff.subarray(0, 50)));
});

t.test('a font that is broken anywhere sets and draws something, or is refused', async (t) => {
  const sfnt = Buffer.from(toSfnt(woff));
  let opened = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(sfnt.length - 1), byte: fc.nat(255) }), { maxLength: 60 }),
      fc.nat(sfnt.length),
      fc.boolean(),
      (changes, length, isCut) => {
        const broken = Buffer.from(sfnt);
        for (const { at, byte } of changes) broken[at] = byte;
        const face = openFace(isCut ? broken.subarray(0, length) : broken);
        opened += 1;
        for (const { glyph, advance } of face.setRun('น้ำที่ปิ่น', 0, 10, false)) {
          if (!Number.isFinite(advance)) throw new Error(`${advance}`);
          face.outlineOf(glyph);
        }
      },
    ),
    { numRuns: 200 },
  );
  t.ok(opened > 0);
  const nothing = openFace(Buffer.from('no font at all'));
  t.notOk(nothing.has('a'));
  t.strictSame(nothing.outlineOf(5).commands, []);
});
