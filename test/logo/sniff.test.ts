/** Detecting the type of a logo from its first bytes. */
import t from 'tap';
import { type ImageType, sniff } from '../../src/logo/sniff.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** The minimal header of each type. */
const LEAST: readonly (readonly [ImageType, Buffer])[] = [
  ['png', latin1('\x89PNG\r\n\x1a\n')],
  ['jpeg', latin1('\xff\xd8\xff')],
  ['gif', latin1('GIF87a')],
  ['gif', latin1('GIF89a')],
  ['webp', latin1('RIFF\0\0\0\0WEBP')],
  ['gzip', latin1('\x1f\x8b')],
];

t.test('each type is recognised by its header, and every byte of the header matters', async (t) => {
  for (const [type, bytes] of LEAST) {
    t.equal(sniff(bytes), type);
    t.equal(sniff(Buffer.concat([bytes, latin1('more')])), type);
    for (let at = 0; at < bytes.length; at += 1) {
      const [other, isFree] = [Buffer.from(bytes), type === 'webp' && at >= 4 && at < 8];
      other[at]! ^= 0x20;
      t.equal(sniff(other), isFree ? type : null, `${type} with another byte ${at}`);
    }
    t.equal(sniff(bytes.subarray(0, -1)), null, `${type} without its last byte`);
  }
});

t.test('markup is recognised after a byte order mark and white space, in UTF-8 and UTF-16', async (t) => {
  for (const text of [
    '<',
    '<svg>',
    ' \t\r\n<svg>',
    '\xef\xbb\xbf<',
    '\xef\xbb\xbf \n<',
    '\xff\xfe<\0',
    '\xfe\xff\0<',
  ])
    t.equal(sniff(latin1(text)), 'svg', JSON.stringify(text));
  for (const text of [
    '',
    ' ',
    'svg<',
    '\v<',
    '\xef\xbb<',
    '\xef\xbb\xbfx',
    '\xff\xfe<',
    '\xfe\xff<\0',
    '\xff\xfe\0<',
    '\0<',
  ])
    t.equal(sniff(latin1(text)), null, JSON.stringify(text));
});
