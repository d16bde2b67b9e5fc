/** Mutations of valid bodies. */

/** Returns numbers between 0 and 1. */
export type Random = () => number;

/** Returns a random element. */
export const pick = <T>(random: Random, things: readonly T[]): T =>
  things[Math.min(things.length - 1, Math.floor(random() * things.length))]!;

/** Bytes that parsers treat specially: ends of lines, strings and parts, and bytes that are invalid in text. */
const SIGNS = [
  ...['\r', '\n', '\r\n', '\r\n\r\n', '-', '--', '--x', '\r\n--x', '\r\n--x--'],
  ...['"', '""', "'", ';', ',', ':', '=', '{', '}', '[', ']', '\\', '\\u', '<', '>', '</', '&'],
  ...['\0', '\x10', '\xff', '\xfe\xff', '\xef\xbb\xbf', 'PK'],
  ...['-1', '0', '9'.repeat(20), '1e999', ' ', '\t'],
];

/** Returns bytes with one small change. */
const mutateOnce = (random: Random, bytes: Buffer): Buffer => {
  const at = Math.floor(random() * (bytes.length + 1));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const length = Math.ceil(random() * (random() < 0.8 ? 8 : bytes.length));
  const changes: readonly (() => readonly Buffer[])[] = [
    () => [before, Buffer.from(pick(random, SIGNS), 'latin1'), after],
    () => [before, Buffer.from(pick(random, SIGNS), 'latin1'), after.subarray(length)],
    () => [before, Buffer.from([Math.floor(random() * 256)]), after.subarray(1)],
    () => [before, after.subarray(length)],
    () => [before, before.subarray(-length), after],
    () => [before],
  ];
  return Buffer.concat(pick(random, changes)());
};

/** Returns bytes with up to four small changes. */
export const mutate = (random: Random, bytes: Buffer): Buffer => {
  let mutated = bytes;
  for (let left = Math.floor(random() * 5); left > 0; left -= 1) mutated = mutateOnce(random, mutated);
  return mutated;
};

/** Returns bytes in HTTP chunks, split at random places. */
export const chunked = (random: Random, bytes: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Math.ceil(random() * (random() < 0.5 ? 16 : bytes.length));
    const chunk = bytes.subarray(at, at + length);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};
