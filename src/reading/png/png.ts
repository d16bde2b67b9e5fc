/**
 * Reads PNG files as luma, in JavaScript and in the calling thread. `sharp` takes seven times as long for a small
 * picture, and works in threads whose priority is not ours.
 */
import { inflateSync } from 'node:zlib';
import { ok, type Result, refused } from '../../result.ts';
import type { Luma } from '../luma.ts';
import { CHANNELS, readParts } from './parts.ts';
import { createLumaReader, UP, unfilter } from './rows.ts';

/** Returns the picture, or why it is not one that can be read. Takes bounded time and memory for any bytes. */
export const readPng = (bytes: Uint8Array): Result<Luma, string> => {
  const parts = readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!parts.ok) return parts;
  const { widthPx, heightPx, bitDepth, colorType } = parts.value.header;
  const bitsAPixel = bitDepth * CHANNELS.get(colorType)!;
  const rowBytes = Math.ceil((widthPx * bitsAPixel) / 8);
  const total = (rowBytes + 1) * heightPx;
  let rows: Buffer;
  try {
    rows = inflateSync(parts.value.compressed, { maxOutputLength: Math.max(1, total) });
  } catch {
    return refused('its pixels are damaged');
  }
  if (total === 0 || rows.length !== total) return refused('its pixels are damaged');
  const readRow = createLumaReader(parts.value);
  const data = new Uint8Array(widthPx * heightPx);
  let above: Uint8Array = new Uint8Array(rowBytes);
  /** A row that repeats the one above it: most rows of a code. */
  const repeat = new Uint8Array(rowBytes + 1);
  repeat[0] = UP;
  for (let y = 0; y < heightPx; y += 1) {
    const at = y * (rowBytes + 1);
    const row = rows.subarray(at + 1, at + 1 + rowBytes);
    if (y > 0 && rows.compare(repeat, 0, repeat.length, at, at + repeat.length) === 0) {
      row.set(above);
      data.copyWithin(y * widthPx, (y - 1) * widthPx, y * widthPx);
      above = row;
      continue;
    }
    unfilter(rows[at]!, row, above, Math.max(1, bitsAPixel >> 3));
    readRow(row, data.subarray(y * widthPx, (y + 1) * widthPx));
    above = row;
  }
  return ok({ widthPx, heightPx, data });
};
