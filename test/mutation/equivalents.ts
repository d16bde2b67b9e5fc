/** Mutants that no test can notice, because nothing that anybody sees depends on them. They are never run. */
import type { Lines } from './mutants.ts';

/**
 * Mutants of one file that are equivalent for one reason. Each is the whole line before and after it. A line that is
 * there twice is listed twice.
 */
export interface Equivalents {
  readonly file: string;
  readonly because: string;
  readonly mutants: readonly (readonly [was: string, becomes: string])[];
}

export const EQUIVALENTS: readonly Equivalents[] = [
  {
    file: 'src/quota/redis/seed.ts',
    because: 'nobody can tell this bound from one more, which is there to be finite',
    mutants: [['const QUEUE_MAX = 10_000;', 'const QUEUE_MAX = (10000 + 1);']],
  },
  {
    file: 'src/quota/redis/lua/limit.lua',
    because: 'the sweep does not ask whether Redis knows the account: its seeding brings the limit',
    mutants: [["if not version then return 'cold' end", "if not version then return 'coldx' end"]],
  },
  {
    file: 'src/limits/free-work.ts',
    because: 'nobody can tell this bound from one more, which is there to be finite',
    mutants: [['const MAX_ACCOUNTS = 10_000;', 'const MAX_ACCOUNTS = (10000 + 1);']],
  },
  {
    file: 'src/limits/free-work.ts',
    because: 'nobody can tell this wait from one that is a millisecond longer',
    mutants: [
      ['const MAX_PACE_MS = 20_000;', 'const MAX_PACE_MS = (20000 + 1);'],
      [
        'if (waitMs > 0) await sleep(Math.min(waitMs, MAX_PACE_MS));',
        'if (waitMs > (0 + 1)) await sleep(Math.min(waitMs, MAX_PACE_MS));',
      ],
    ],
  },
  {
    file: 'src/limits/free-work.ts',
    because: 'taking nothing changes nothing',
    mutants: [['if (ms > 0) buckets.take(accountId, ms);', 'if (ms >= 0) buckets.take(accountId, ms);']],
  },
  {
    file: 'src/http/limits/shared-rates.ts',
    because: 'nobody can tell this wait from one that is a millisecond longer',
    mutants: [['const COMMAND_TIMEOUT_MS = 150;', 'const COMMAND_TIMEOUT_MS = (150 + 1);']],
  },
  {
    file: 'src/http/limits/rate-limit.ts',
    because: 'nobody can tell this wait from one that is a millisecond longer',
    mutants: [
      ['const RETRY_MS = 1000;', 'const RETRY_MS = (1000 + 1);'],
      [
        'if (failing && performance.now() < retryAtMs) return own(request);',
        'if (failing && performance.now() <= retryAtMs) return own(request);',
      ],
    ],
  },
  {
    file: 'src/http/limits/rate-limit.ts',
    because: 'it is set before it is read',
    mutants: [['let retryAtMs = 0;', 'let retryAtMs = (0 + 1);']],
  },
  {
    file: 'src/http/limits/rate-limit.ts',
    because: 'the context has no routes',
    mutants: [
      [
        'await context.register(rateLimit, { ...store, ...limit, global: false, timeWindow: WINDOW_MS });',
        'await context.register(rateLimit, { ...store, ...limit, global: true, timeWindow: WINDOW_MS });',
      ],
    ],
  },
  {
    file: 'src/http/limits/rate-limit.ts',
    because: 'there is no allow list; only the compiler asks',
    mutants: [
      ["if (state.isAllowed) throw new Error('nobody is on the allow list of the rate limit');", ';'],
    ],
  },
  {
    file: 'src/http/limits/rate-limit.ts',
    because: 'an absent list is read as null is',
    mutants: [["app.decorateRequest('rates', null);", ';']],
  },
  {
    file: 'src/http/limits/search-line.ts',
    because: 'a promise settles once, and the signal ends with its request',
    mutants: [["signal.removeEventListener('abort', giveUp);", ';']],
  },
  {
    file: 'src/http/limits/search-line.ts',
    because: 'nobody can tell this wait from one that is a millisecond longer',
    mutants: [
      [
        'const DEFAULTS: SearchLineOptions = { maxWaiting: 3, waitMs: 2000 };',
        'const DEFAULTS: SearchLineOptions = { maxWaiting: 3, waitMs: (2000 + 1) };',
      ],
    ],
  },
  {
    file: 'src/http/limits/rate-store.ts',
    because: 'nobody can tell this bound from one more, which is there to be finite',
    mutants: [['const MAX_KEYS = 10_000;', 'const MAX_KEYS = (10000 + 1);']],
  },
  {
    file: 'src/http/auth/auth.ts',
    because: 'nobody can tell this bound from one more, which is there to be finite',
    mutants: [['maxAddresses: 10_000,', 'maxAddresses: (10000 + 1),']],
  },
  {
    file: 'src/http/auth/admin-auth.ts',
    because: 'nobody can tell this bound from one more, which is there to be finite',
    mutants: [
      [
        "const GUESSES = { what: 'wrong admin tokens', burst: 20, perSecond: 1, maxAddresses: 10_000 };",
        "const GUESSES = { what: 'wrong admin tokens', burst: 20, perSecond: 1, maxAddresses: (10000 + 1) };",
      ],
    ],
  },
  {
    file: 'src/http/auth/principals.ts',
    because: 'nobody can tell this bound from one more, which is there to be finite',
    mutants: [
      ['max: 10_000,', 'max: (10000 + 1),'],
      ['maxLoads: 10_000,', 'maxLoads: (10000 + 1),'],
    ],
  },
  {
    file: 'src/http/auth/principals.ts',
    because: 'nobody can tell this wait from one that is a millisecond longer',
    mutants: [
      ['loadTimeoutMs: 1000,', 'loadTimeoutMs: (1000 + 1),'],
      ['refreshTimeoutMs: 1000,', 'refreshTimeoutMs: (1000 + 1),'],
    ],
  },
  {
    file: 'workers/symbol/capacity.ts',
    because: 'in Byte mode four bits are left over',
    mutants: [
      ['Byte: [8, 16, 16],', 'Byte: [(8 + 1), 16, 16],'],
      ['Byte: [8, 16, 16],', 'Byte: [8, (16 + 1), 16],'],
      ['Byte: [8, 16, 16],', 'Byte: [8, 16, (16 + 1)],'],
    ],
  },
  {
    file: 'workers/symbol/capacity.ts',
    because: 'in Numeric mode the rest is even',
    mutants: [
      [
        'return Math.floor(bits / 10) * 3 + (rest >= 7 ? 2 : rest >= 4 ? 1 : 0);',
        'return Math.floor(bits / 10) * 3 + (rest > 7 ? 2 : rest >= 4 ? 1 : 0);',
      ],
      [
        'return Math.floor(bits / 10) * 3 + (rest >= 7 ? 2 : rest >= 4 ? 1 : 0);',
        'return Math.floor(bits / 10) * 3 + (rest >= (7 + 1) ? 2 : rest >= 4 ? 1 : 0);',
      ],
    ],
  },
  {
    file: 'workers/symbol/masks.ts',
    because: 'a sum and a difference have the same parity',
    mutants: [
      ['(i, j) => (i + j) % 2 === 0,', '(i, j) => (i - j) % 2 === 0,'],
      [
        '(i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,',
        '(i, j) => (Math.floor(i / 2) - Math.floor(j / 3)) % 2 === 0,',
      ],
      [
        '(i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,',
        '(i, j) => (((i * j) % 2) - ((i * j) % 3)) % 2 === 0,',
      ],
      [
        '(i, j) => (((i * j) % 3) + ((i + j) % 2)) % 2 === 0,',
        '(i, j) => (((i * j) % 3) - ((i + j) % 2)) % 2 === 0,',
      ],
      [
        '(i, j) => (((i * j) % 3) + ((i + j) % 2)) % 2 === 0,',
        '(i, j) => (((i * j) % 3) + ((i - j) % 2)) % 2 === 0,',
      ],
    ],
  },
  {
    file: 'workers/symbol/penalty.ts',
    because: 'reading beyond a typed array counts as 0',
    mutants: [
      [
        'for (let i = 0; i < bits.length; i += 1) dark += popCount(bits[i]!);',
        'for (let i = 0; i <= bits.length; i += 1) dark += popCount(bits[i]!);',
      ],
      [
        'for (let i = word; i < bits.length; i += words) {',
        'for (let i = word; i <= bits.length; i += words) {',
      ],
      ['const end = (size - 6) * words;', 'const end = (size + 6) * words;'],
      ['if (i >= end) continue;', ';'],
      ['if (i >= end) continue;', 'if (i > end) continue;'],
    ],
  },
  {
    file: 'workers/symbol/penalty.ts',
    because: 'the edges cover what is beyond them',
    mutants: [
      [
        'let atLeft = (at << 1) | (first ? 0 : bits[word - 1]! >>> 31);',
        'let atLeft = (at << 1) | (first ? (0 + 1) : bits[word - 1]! >>> 31);',
      ],
      ['const down = bottomEdge ? 0 : bits[next]!;', 'const down = bottomEdge ? (0 + 1) : bits[next]!;'],
      [
        'const downLeft = (down << 1) | (bottomEdge ? 0 : bits[next - 1]! >>> 31);',
        'const downLeft = (down << 1) | (bottomEdge ? (0 + 1) : bits[next - 1]! >>> 31);',
      ],
      [
        'const downRight = (down >>> 1) | (last || bottomEdge ? 0 : bits[next + 1]! << 31);',
        'const downRight = (down >>> 1) | (last && bottomEdge ? 0 : bits[next + 1]! << 31);',
      ],
    ],
  },
  {
    file: 'workers/symbol/penalty.ts',
    because: 'the last columns of the last word are empty, so no run reaches the next word',
    mutants: [
      ['const isLastWord = word === words - 1;', 'const isLastWord = word === words + 1;'],
      ['const ahead = isLastWord ? 0 : bits[i + 1]!;', 'const ahead = isLastWord ? (0 + 1) : bits[i + 1]!;'],
    ],
  },
  {
    file: 'workers/symbol/symbol.ts',
    because: 'every penalty is finite, so the first mask is taken before',
    mutants: [['let best = 0;', 'let best = (0 + 1);']],
  },
  {
    file: 'workers/raster/png/png.ts',
    because: 'the next row is written over what is too much',
    mutants: [
      [
        'packIndices(indices.subarray(row * widthPx, (row + 1) * widthPx), bitDepth, scanlines, row * stride + 1);',
        'packIndices(indices.subarray(row * widthPx, (row + (1 + 1)) * widthPx), bitDepth, scanlines, row * stride + 1);',
      ],
    ],
  },
  {
    file: 'workers/raster/png/colors.ts',
    because: 'a colour has another place in the table, and the same number',
    mutants: [
      ['const TABLE_BITS = 10;', 'const TABLE_BITS = (10 + 1);'],
      [
        'const slots = new Uint16Array(1 << TABLE_BITS);',
        'const slots = new Uint16Array((1 + 1) << TABLE_BITS);',
      ],
      [
        'let slot = Math.imul(color, 0x9e3779b1) >>> (32 - TABLE_BITS);',
        'let slot = Math.imul(color, (2654435761 + 1)) >>> (32 - TABLE_BITS);',
      ],
      [
        'let slot = Math.imul(color, 0x9e3779b1) >>> (32 - TABLE_BITS);',
        'let slot = Math.imul(color, 0x9e3779b1) >>> ((32 + 1) - TABLE_BITS);',
      ],
      [
        'while (slots[slot] !== 0 && colors[slots[slot]! - 1] !== color) slot = (slot + 1) % slots.length;',
        'while (slots[slot] !== 0 && colors[slots[slot]! - 1] !== color) slot = (slot + (1 + 1)) % slots.length;',
      ],
    ],
  },
  {
    file: 'workers/raster/png/colors.ts',
    because: 'the first pixel is always looked up, and a colour that is looked up again has the same number',
    mutants: [
      ['let previous = 0;', 'let previous = (0 + 1);'],
      ['let index = -1;', 'let index = -(1 + 1);'],
      ['if (color !== previous || index < 0) {', 'if (color !== previous || index <= 0) {'],
      ['if (color !== previous || index < 0) {', 'if (color !== previous || index < (0 + 1)) {'],
    ],
  },
  {
    file: 'workers/raster/png/colors.ts',
    because: 'only the highest eight bits are read',
    mutants: [['let common = -1;', 'let common = -(1 + 1);']],
  },
  {
    file: 'workers/raster/png/filters.ts',
    because: 'writing beyond a typed array does nothing',
    mutants: [
      [
        'for (let start = scanlines.length - stride; start >= 0; start -= stride) {',
        'for (let start = scanlines.length + stride; start >= 0; start -= stride) {',
      ],
    ],
  },
  {
    file: 'workers/raster/png/indices.ts',
    because: 'a shortcut: bytes of one index are made alike',
    mutants: [
      ['if (bitDepth === 8) {', 'if (bitDepth === (8 + 1)) {'],
      ['if (bitDepth === 8) { into.set(indices, start); return; }', ';'],
    ],
  },
  {
    file: 'workers/raster/png/indices.ts',
    because: 'an index beyond the last counts as 0, as padding does',
    mutants: [
      [
        'for (let shift = 8 - bitDepth; shift >= 0 && x < indices.length; shift -= bitDepth, x += 1) {',
        'for (let shift = 8 - bitDepth; shift >= 0 && x <= indices.length; shift -= bitDepth, x += 1) {',
      ],
    ],
  },
  {
    file: 'workers/raster/png/true-color.ts',
    because: 'the first row repeats nothing, and a row of one pixel is no photograph',
    mutants: [['if (y > 0 && isRepeated(row)) {', 'if (y >= 0 && isRepeated(row)) {']],
  },
  {
    file: 'workers/raster/png/true-color.ts',
    because: 'the share is no whole number of pixels, as 1 - 0.9 is a little less than 0.1',
    mutants: [['if (others <= 0) return false;', 'if (others < 0) return false;']],
  },
  {
    file: 'workers/raster/png/true-color.ts',
    because: 'a shortcut: the slower way writes the same bytes',
    mutants: [['if (color === up) continue;', ';']],
  },
  {
    file: 'workers/raster/png/true-color.ts',
    because: 'the runs that are found besides are shorter than eight',
    mutants: [
      [
        'for (let at = from + PHOTO_RUN_PX - 1, end = at; at < to; at = end + PHOTO_RUN_PX) {',
        'for (let at = from + PHOTO_RUN_PX - (1 + 1), end = at; at < to; at = end + PHOTO_RUN_PX) {',
      ],
      [
        'for (let at = from + PHOTO_RUN_PX - 1, end = at; at < to; at = end + PHOTO_RUN_PX) {',
        'for (let at = from + PHOTO_RUN_PX - 1, end = at; at <= to; at = end + PHOTO_RUN_PX) {',
      ],
      ['if (!isNew(at)) continue;', ';'],
    ],
  },
  {
    file: 'workers/raster/png/true-color.ts',
    because: 'when left and up are as near, they are the same, or the third is nearest',
    mutants: [
      [
        'if (toLeft <= toUp && toLeft <= toUpLeft) return left;',
        'if (toLeft < toUp && toLeft <= toUpLeft) return left;',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/deflate-modules.ts',
    because: 'memory that is not used changes nothing',
    mutants: [
      ['let words = new Int32Array(0);', 'let words = new Int32Array((0 + 1));'],
      ['let tokens = new Int32Array(0);', 'let tokens = new Int32Array((0 + 1));'],
      ['let packed = new Uint8Array(0);', 'let packed = new Uint8Array((0 + 1));'],
      ['if (packed.length < stride) {', 'if (packed.length <= stride) {'],
      [
        'if (words.length < most) words = new Int32Array(most);',
        'if (words.length <= most) words = new Int32Array(most);',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + (2 + 1)) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + 2) * Math.ceil(stride * 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + (2 + 1) * heightPx * Math.ceil(stride / 256) + 8;',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride * 256) + 8;',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + (8 + 1);',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/deflate-modules.ts',
    because: 'a repetition takes 28 bits of the 64 for which there is room, so more than this is left',
    mutants: [
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) - 8;',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size - 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
      ],
      [
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / 256) + 8;',
        'const most = head.at + (size + 2) * Math.ceil(stride / 2) + 2 * heightPx * Math.ceil(stride / (256 + 1)) + 8;',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/deflate-modules.ts',
    because: 'the first byte of a row is that of its filter, which is 0',
    mutants: [
      ['for (let i = 0; i < row.length; i += 1) {', 'for (let i = (0 + 1); i < row.length; i += 1) {'],
    ],
  },
  {
    file: 'workers/raster/deflate/deflate-modules.ts',
    because: 'the lowest 32 bits are written, whatever the sign',
    mutants: [
      [
        'new DataView(words.buffer).setUint32(end, ((sums.high << 16) | sums.low) >>> 0);',
        'new DataView(words.buffer).setUint32(end, ((sums.high << 16) | sums.low) << 0);',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/module-rows.ts',
    because: 'bits that are 0 are set to 0',
    mutants: [['if (index > 0)', 'if (index >= 0)']],
  },
  {
    file: 'workers/raster/deflate/module-rows.ts',
    because: 'what is behind the last byte is like no byte',
    mutants: [
      [
        'while (end < packed.length && packed[end] === byte) end += 1;',
        'while (end <= packed.length && packed[end] === byte) end += 1;',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because:
      'modules begin in the same bits of a byte again after eight modules at most, and a row has 21 at least',
    mutants: [
      [
        'const first = Math.max(0, Math.floor(fromBit / moduleBits));',
        'const first = Math.max((0 + 1), Math.floor(fromBit / moduleBits));',
      ],
      [
        'for (let at = 1; at < stride && all.size < 256; at += 1) {',
        'for (let at = (1 + 1); at < stride && all.size < 256; at += 1) {',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because: 'of two symbols each has one bit, however often it occurs',
    mutants: [
      ['counts[symbolOfDistance(1)] = 1;', 'counts[symbolOfDistance(1)] = (1 + 1);'],
      ['counts[symbolOfDistance(stride)] = 1;', 'counts[symbolOfDistance(stride)] = (1 + 1);'],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because: 'a run is shorter than its row, and the empty row of the sample has the longest run',
    mutants: [
      [
        'for (let length = LENGTH_MIN; length <= Math.min(stride, LENGTH_MAX); length += 1)',
        'for (let length = LENGTH_MIN; length < Math.min(stride, LENGTH_MAX); length += 1)',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because: 'any random symbol will do as the sample',
    mutants: [
      [
        'state = (Math.imul(state, 1664525) + 1013904223) >>> 0;',
        'state = (Math.imul(state, 1664525) + (1013904223 + 1)) >>> 0;',
      ],
      ['let state = 1;', 'let state = (1 + 1);'],
      ['if (next() < 0.5) return 0;', 'if (next() <= 0.5) return 0;'],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because: 'behind the last row there is no module, so the row is empty, and an empty run is never written',
    mutants: [
      [
        'if (row < size) packRow(rows, sample, row, packed);',
        'if (row <= size) packRow(rows, sample, row, packed);',
      ],
      [
        'export const symbolOf = (token: number): number => (token > RUN ? SYMBOL_OF_LENGTH[token - RUN]! : token);',
        'export const symbolOf = (token: number): number => (token >= RUN ? SYMBOL_OF_LENGTH[token - RUN]! : token);',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because: 'it is only asked to save time',
    mutants: [
      [
        'for (let at = 1; at < stride && all.size < 256; at += 1) {',
        'for (let at = 1; at < stride && all.size <= 256; at += 1) {',
      ],
      [
        'for (let at = 1; at < stride && all.size < 256; at += 1) {',
        'for (let at = 1; at < stride && all.size < (256 + 1); at += 1) {',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/row-code.ts',
    because: 'memory that is not used, and the code of a run that is never written, change nothing',
    mutants: [
      [
        'const head = { words: new Int32Array(128), at: 0, held: 0, heldBits: 0 };',
        'const head = { words: new Int32Array((128 + 1)), at: 0, held: 0, heldBits: 0 };',
      ],
      [
        'const counts = new Uint8Array(RUN + LENGTH_MAX + 1);',
        'const counts = new Uint8Array(RUN + LENGTH_MAX + (1 + 1));',
      ],
      [
        'const bits = new Int32Array(RUN + LENGTH_MAX + 1);',
        'const bits = new Int32Array(RUN + LENGTH_MAX + (1 + 1));',
      ],
      [
        'bits.set(literals.codes.subarray(0, END_OF_BLOCK + 1));',
        'bits.set(literals.codes.subarray(0, END_OF_BLOCK + (1 + 1)));',
      ],
      [
        'counts.set(literals.lengths.subarray(0, END_OF_BLOCK + 1));',
        'counts.set(literals.lengths.subarray(0, END_OF_BLOCK + (1 + 1)));',
      ],
      ['const MAX_CODES = 128;', 'const MAX_CODES = (128 + 1);'],
    ],
  },
  {
    file: 'workers/raster/deflate/huffman.ts',
    because: 'memory that is not used changes nothing',
    mutants: [
      [
        'const parents = new Uint16Array(2 * leaves - 1);',
        'const parents = new Uint16Array((2 + 1) * leaves - 1);',
      ],
    ],
  },
  {
    file: 'workers/raster/deflate/tokens.ts',
    because: 'memory that is as long already may be taken anew',
    mutants: [
      [
        'if (scratch.length < most) scratch = new Int32Array(most);',
        'if (scratch.length <= most) scratch = new Int32Array(most);',
      ],
    ],
  },
  {
    file: 'workers/quality/logo/anchors.ts',
    because: 'five bits never ask for the entry after the last',
    mutants: [
      [
        "const BITS = Uint8Array.from({ length: 32 }, (_, bits) => bits.toString(2).replaceAll('0', '').length);",
        "const BITS = Uint8Array.from({ length: (32 + 1) }, (_, bits) => bits.toString(2).replaceAll('0', '').length);",
      ],
    ],
  },
  {
    file: 'workers/quality/damage/blocks.ts',
    because: 'no module of a fixed pattern lies in the column before the version information',
    mutants: [
      [
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
        'const isVersion = version >= 7 && ((row < 6 && column >= size - (11 + 1)) || (column < 6 && row >= size - 11));',
      ],
    ],
  },
  {
    file: 'workers/quality/logo/logo-light.ts',
    because: 'memory that is not used changes nothing',
    mutants: [
      [
        'const sums = new Uint32Array(stride * (rows + 1));',
        'const sums = new Uint32Array(stride * (rows + (1 + 1)));',
      ],
    ],
  },
  {
    file: 'workers/quality/grades.ts',
    because: 'no figure reaches the threshold after the last, which there is not',
    mutants: [
      [
        'for (let i = 0; i < 4; i += 1) if (figure >= thresholds[i]!) return (4 - i) as Grade;',
        'for (let i = 0; i <= 4; i += 1) if (figure >= thresholds[i]!) return (4 - i) as Grade;',
      ],
      [
        'for (let i = 0; i < 4; i += 1) if (figure >= thresholds[i]!) return (4 - i) as Grade;',
        'for (let i = 0; i < (4 + 1); i += 1) if (figure >= thresholds[i]!) return (4 - i) as Grade;',
      ],
      [
        'for (let i = 0; i < 4; i += 1) if (figure <= thresholds[i]!) return (4 - i) as Grade;',
        'for (let i = 0; i <= 4; i += 1) if (figure <= thresholds[i]!) return (4 - i) as Grade;',
      ],
      [
        'for (let i = 0; i < 4; i += 1) if (figure <= thresholds[i]!) return (4 - i) as Grade;',
        'for (let i = 0; i < (4 + 1); i += 1) if (figure <= thresholds[i]!) return (4 - i) as Grade;',
      ],
    ],
  },
  {
    file: 'workers/quality/light/light.ts',
    because: 'memory that is not used changes nothing',
    mutants: [
      ['const lights = new Float64Array(STEPS + 1);', 'const lights = new Float64Array(STEPS + (1 + 1));'],
      ['const alphas = new Float64Array(STEPS + 1);', 'const alphas = new Float64Array(STEPS + (1 + 1));'],
    ],
  },
  {
    file: 'workers/quality/light/light.ts',
    because: 'the first stop begins with itself',
    mutants: [
      ['let before = { light: 0, alpha: 0, at: 0 };', 'let before = { light: (0 + 1), alpha: 0, at: 0 };'],
      ['let before = { light: 0, alpha: 0, at: 0 };', 'let before = { light: 0, alpha: (0 + 1), at: 0 };'],
      [
        'const share = i === 0 ? 0 : (step - from.at) / (at - from.at);',
        'const share = i === 0 ? (0 + 1) : (step - from.at) / (at - from.at);',
      ],
    ],
  },
  {
    file: 'workers/quality/light/light.ts',
    because: 'on a line of no length every place is its beginning',
    mutants: [['const squared = dx * dx + dy * dy || 1;', 'const squared = dx * dx + dy * dy || (1 + 1);']],
  },
  {
    file: 'workers/quality/light/field.ts',
    because: 'no tile has more ink than the whole of its middle',
    mutants: [['let least = 1;', 'let least = (1 + 1);']],
  },
  {
    file: 'workers/quality/light/field.ts',
    because: 'what is written behind the last sample is dropped',
    mutants: [['for (let i = 0; i < dark.length; i += 1) {', 'for (let i = 0; i <= dark.length; i += 1) {']],
  },
  {
    file: 'workers/quality/finders/view.ts',
    because: 'no scan line is a whole module from the middle',
    mutants: [
      [
        'const isMiddle = Math.abs(at - FINDER_MODULES / 2) < 1;',
        'const isMiddle = Math.abs(at - FINDER_MODULES / 2) <= 1;',
      ],
    ],
  },
  {
    file: 'workers/quality/finders/view.ts',
    because: 'ink that reaches into the rim is too wide for a centre, however far it goes',
    mutants: [
      [
        'const centre = runFrom(half, 1, true, length + RIM) + runFrom(half - 1, -1, true, -RIM - 1);',
        'const centre = runFrom(half, 1, true, length + RIM) + runFrom(half - 1, -1, true, -RIM + 1);',
      ],
      [
        'const centre = runFrom(half, 1, true, length + RIM) + runFrom(half - 1, -1, true, -RIM - 1);',
        'const centre = runFrom(half, 1, true, length + RIM) + runFrom(half - 1, -1, true, -RIM - (1 + 1));',
      ],
    ],
  },
  {
    file: 'workers/quality/finders/shape.ts',
    because: 'no mask of eight pixels a module has a pixel of the coverage 1',
    mutants: [
      [
        'if (ofRing > 0) return ground + ((paint.ring(x, y) - ground) * ofRing) / 255;',
        'if (ofRing > (0 + 1)) return ground + ((paint.ring(x, y) - ground) * ofRing) / 255;',
      ],
      [
        'return ofCentre === 0 ? ground : ground + ((paint.centre(x, y) - ground) * ofCentre) / 255;',
        'return ofCentre === (0 + 1) ? ground : ground + ((paint.centre(x, y) - ground) * ofCentre) / 255;',
      ],
    ],
  },
  {
    file: 'workers/quality/finders/finders.ts',
    because: 'patterns that are alike are seen once only to save time',
    mutants: [['if (isUniform) break;', ';']],
  },
  {
    file: 'workers/quality/finders/finders.ts',
    because: 'of a negative only differences count',
    mutants: [
      [
        'const seen = (light: number): number => (isInverted ? 1 - light : light);',
        'const seen = (light: number): number => (isInverted ? (1 + 1) - light : light);',
      ],
    ],
  },
  {
    file: 'workers/quality/logo/logo-light.ts',
    because: 'nobody can tell this bound from one more',
    mutants: [['const MAX_LOGOS = 32;', 'const MAX_LOGOS = (32 + 1);']],
  },
  {
    file: 'workers/quality/logo/logo-light.ts',
    because: 'sums behind the last row are dropped',
    mutants: [['for (let row = 0; row < rows; row += 1) {', 'for (let row = 0; row <= rows; row += 1) {']],
  },
  {
    file: 'workers/quality/logo/anchors.ts',
    because: 'seven quarters of a module are less than two modules, in fifths too',
    mutants: [['const SPREAD = 2 + Math.ceil(REACH / 4);', 'const SPREAD = 2 + Math.ceil(REACH / (4 + 1));']],
  },
  {
    file: 'workers/quality/logo/anchors.ts',
    because: 'the search never comes to the first place, and nothing is behind the last',
    mutants: [
      ['for (let i = 0; i < looks.length; i += 1) {', 'for (let i = (0 + 1); i < looks.length; i += 1) {'],
      ['for (let i = 0; i < looks.length; i += 1) {', 'for (let i = 0; i <= looks.length; i += 1) {'],
    ],
  },
  {
    file: 'workers/quality/logo/anchors.ts',
    because: 'no place of the pattern is in the column after the last, or behind the last row',
    mutants: [
      [
        'for (let x = 0; x < SIDE; x += 1) bits |= modules[start + x]! << x;',
        'for (let x = 0; x <= SIDE; x += 1) bits |= modules[start + x]! << x;',
      ],
      [
        'for (let i = y; i < bitsSeen.length; i += SIDE) bitsSeen[i] = (bits & open[i]!) | dark[i]!;',
        'for (let i = y; i <= bitsSeen.length; i += SIDE) bitsSeen[i] = (bits & open[i]!) | dark[i]!;',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/blocks.ts',
    because:
      'beside the format and version information there is no fixed pattern, or one that was told before',
    mutants: [
      [
        'const isCorner = (row < 9 || row >= size - 8) && column < 9 ? true : row < 9 && column >= size - 8;',
        'const isCorner = (row < 9 || row >= size - 8) && column < 9 ? true : row <= 9 && column >= size - 8;',
      ],
      [
        'const isCorner = (row < 9 || row >= size - 8) && column < 9 ? true : row < 9 && column >= size - 8;',
        'const isCorner = (row < 9 || row >= size - 8) && column < 9 ? true : row < (9 + 1) && column >= size - 8;',
      ],
      [
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
        'const isVersion = version >= 7 && ((row <= 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
      ],
      [
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
        'const isVersion = version >= 7 && ((row < (6 + 1) && column >= size - 11) || (column < 6 && row >= size - 11));',
      ],
      [
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column <= 6 && row >= size - 11));',
      ],
      [
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < (6 + 1) && row >= size - 11));',
      ],
      [
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));',
        'const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - (11 + 1)));',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/losses.ts',
    because: 'whoever writes the bit reads it by the same name',
    mutants: [['const LIGHT_BIT = 17;', 'const LIGHT_BIT = (17 + 1);']],
  },
  {
    file: 'workers/quality/damage/losses.ts',
    because: 'memory that is not used, and a count that nobody reads, change nothing',
    mutants: [
      ['const MAX_CODEWORDS = 3706;', 'const MAX_CODEWORDS = (3706 + 1);'],
      [
        'const wrong: [none: number, timing: number, alignment: number] = [0, 0, 0];',
        'const wrong: [none: number, timing: number, alignment: number] = [(0 + 1), 0, 0];',
      ],
      [
        'const counts = new Uint16Array(MAX_CODEWORDS + 1);',
        'const counts = new Uint16Array(MAX_CODEWORDS + (1 + 1));',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/losses.ts',
    because: 'the losses of the last codeword move none behind them, so nobody needs their count',
    mutants: [
      [
        'const counts = new Uint16Array(MAX_CODEWORDS + 1);',
        'const counts = new Uint16Array(MAX_CODEWORDS - 1);',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/losses.ts',
    because: 'behind the last there is the first module of the symbol, which carries no codeword',
    mutants: [
      ['for (let i = 0; i < suspects.length; i += 1) {', 'for (let i = 0; i <= suspects.length; i += 1) {'],
      ['for (let i = 0; i < codewords; i += 1) {', 'for (let i = 0; i <= codewords; i += 1) {'],
      ['for (let i = 0; i < length; i += 1) {', 'for (let i = 0; i <= length; i += 1) {'],
    ],
  },
  {
    file: 'workers/quality/style.ts',
    because: 'a grade above 4 is never the lowest',
    mutants: [
      ['view.centreDiagonals ? 4 : 2,', 'view.centreDiagonals ? (4 + 1) : 2,'],
      ['isCoarse ? 2 : 4,', 'isCoarse ? 2 : (4 + 1),'],
    ],
  },
  {
    file: 'workers/quality/grade.ts',
    because: 'nobody can tell these bounds of memory from a little more',
    mutants: [
      ['const MAX_GRADED = 32;', 'const MAX_GRADED = (32 + 1);'],
      ['const STYLE_BYTES = 24 * 1024;', 'const STYLE_BYTES = (24 + 1) * 1024;'],
      ['const STYLE_BYTES = 24 * 1024;', 'const STYLE_BYTES = 24 * (1024 + 1);'],
      ['const ANCHOR_BYTES = 1024;', 'const ANCHOR_BYTES = (1024 + 1);'],
      ['const MAX_CACHE_BYTES = 16 * 1024 * 1024;', 'const MAX_CACHE_BYTES = (16 + 1) * 1024 * 1024;'],
      ['const MAX_CACHE_BYTES = 16 * 1024 * 1024;', 'const MAX_CACHE_BYTES = 16 * (1024 + 1) * 1024;'],
      ['const MAX_CACHE_BYTES = 16 * 1024 * 1024;', 'const MAX_CACHE_BYTES = 16 * 1024 * (1024 + 1);'],
      [
        'if (style.graded.size < MAX_GRADED) style.graded.set(key, graded);',
        'if (style.graded.size <= MAX_GRADED) style.graded.set(key, graded);',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/suspects.ts',
    because: 'any clearness above 4 is clear',
    mutants: [['export const CLEAR = 5;', 'export const CLEAR = (5 + 1);']],
  },
  {
    file: 'workers/quality/damage/suspects.ts',
    because: 'memory that is not used changes nothing',
    mutants: [
      [
        'const ofField = new Uint32Array((bottom - top) * (right - left));',
        'const ofField = new Uint32Array((bottom + top) * (right - left));',
      ],
      [
        'const ofLogo = new Uint32Array(cover === null ? 0 : ofField.length);',
        'const ofLogo = new Uint32Array(cover === null ? (0 + 1) : ofField.length);',
      ],
      [
        'over: { luma: new Float64Array(0), alpha: new Float64Array(0) },',
        'over: { luma: new Float64Array(0), alpha: new Float64Array((0 + 1)) },',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/suspects.ts',
    because: 'an area without columns has no modules, whatever its rows',
    mutants: [
      [
        'const NO_AREA: Area = { left: 0, top: 0, right: 0, bottom: 0 };',
        'const NO_AREA: Area = { left: 0, top: (0 + 1), right: 0, bottom: 0 };',
      ],
      [
        'const NO_AREA: Area = { left: 0, top: 0, right: 0, bottom: 0 };',
        'const NO_AREA: Area = { left: 0, top: 0, right: 0, bottom: (0 + 1) };',
      ],
    ],
  },
  {
    file: 'workers/quality/damage/damage.ts',
    because: 'memory that is not used changes nothing',
    mutants: [
      ['const MAX_CODEWORDS = 3706;', 'const MAX_CODEWORDS = (3706 + 1);'],
      ['const MAX_BLOCKS = 81;', 'const MAX_BLOCKS = (81 + 1);'],
    ],
  },
  {
    file: 'workers/quality/damage/damage.ts',
    because: 'it is only asked to save time',
    mutants: [['if (isUnharmed) return NO_DAMAGE;', ';']],
  },
  {
    file: 'workers/quality/damage/damage.ts',
    because: 'a grade above 4 is never the lowest',
    mutants: [['isMisled(symbol, anchors) ? 3 : 4,', 'isMisled(symbol, anchors) ? 3 : (4 + 1),']],
  },
  {
    file: 'workers/quality/damage/damage.ts',
    because: 'what is written behind the last codeword is dropped',
    mutants: [['if (codeword === NO_CODEWORD) continue;', ';']],
  },
  {
    file: 'workers/quality/damage/damage.ts',
    because: 'the grade is 0 when no other is reached, and never above 4',
    mutants: [
      ['for (let grade = 4; grade > 0; grade -= 1) {', 'for (let grade = (4 + 1); grade > 0; grade -= 1) {'],
      ['for (let grade = 4; grade > 0; grade -= 1) {', 'for (let grade = 4; grade >= 0; grade -= 1) {'],
    ],
  },
  {
    file: 'workers/quality/damage/damage.ts',
    because: 'there is no codeword behind the last, and as many as before are no more',
    mutants: [
      ['if (count > most) most = count;', 'if (count >= most) most = count;'],
      ['for (let i = 0; i < blockOf.length; i += 1) {', 'for (let i = 0; i <= blockOf.length; i += 1) {'],
      ['if (count > most) most = count;', 'if (count >= most) most = count;'],
    ],
  },
  {
    file: 'src/tracing/context.ts',
    because: 'a text that matches has all parts, and another one has none',
    mutants: [
      [
        "if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return null;",
        "if (traceId === undefined && spanId === undefined || (version === '00' && more !== undefined)) return null;",
      ],
    ],
  },
];

/** A mutant that is listed, as it is written there. */
const nameOf = (file: string, { was, becomes }: Lines): string => `${file}: ${was} => ${becomes}`;

/**
 * Returns a function that says whether a mutant is listed, and why it is equivalent.
 *
 * @param mutants All mutants of some files.
 * @throws When an entry for one of these files is listed more or less often than there are such mutants: the code has
 *   changed since.
 */
export const equivalence = (
  mutants: readonly (Lines & { readonly file: string })[],
): ((mutant: Lines & { readonly file: string }) => string | null) => {
  const files = new Set(mutants.map(({ file }) => file));
  const listed = EQUIVALENTS.filter(({ file }) => files.has(file)).flatMap(({ file, because, mutants }) =>
    mutants.map(([was, becomes]) => ({ name: nameOf(file, { was, becomes }), because })),
  );
  const known = mutants.map((mutant) => nameOf(mutant.file, mutant));
  for (const { name } of listed) {
    const found = known.filter((other) => other === name).length;
    const times = listed.filter((other) => other.name === name).length;
    if (found !== times)
      throw new Error(`equivalents.ts lists ${times} times, but there are ${found}: ${name}`);
  }
  const reasons = new Map(listed.map(({ name, because }) => [name, because]));
  return (mutant) => reasons.get(nameOf(mutant.file, mutant)) ?? null;
};
