/** The memory of an archive while it is sent, by Node's own count, for so many codes that all else is small. */
import t from 'tap';
import { createArchives } from '../../src/archive/archive.ts';
import { createKept } from '../../src/archive/kept.ts';
import type { Redraw } from '../../src/generate/redraw.ts';
import { toOutcome } from '../../src/render/outcome.ts';
import { ok } from '../../src/result.ts';
import { casesOf } from '../support/cases.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';
import { silent } from '../support/silent-log.ts';

const CODES = casesOf(50_000);
/** The number of codes at the first measurement. */
const BEFORE = 1000;
const LONGEST = 'x-very-long-content-of-a-code-'.repeat(10);
const picture = toOutcome({
  ok: true,
  value: {
    bytes: new Uint8Array(64),
    lane: 'plain',
    grade: 4 as const,
    warnings: '',
    renderMs: 1,
  },
});

const redraw = {
  sketch: ({ content, design }: { content: string; design: unknown }, format: string) =>
    ok({ text: content, design, logoSha256: null, format }),
  drawAll: async (_: string, sketches: readonly unknown[]) => sketches.map(() => picture),
} as unknown as Redraw;

const usedBytes = (): number => {
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // `external` includes array buffers, and counts those in the pool of small ones twice.
  return heapUsed + Math.max(external, arrayBuffers);
};

/** Calls `reached` before it yields a code. All but the last few codes before it have been sent by then. */
async function* codesTelling(reached: (index: number) => void) {
  for (let index = 0; index < CODES; index += 1) {
    reached(index);
    yield {
      id: `id ${index}`,
      name: `${index} ${LONGEST}`,
      content: 'x',
      slug: null,
      place: null,
      design: DEFAULT_DESIGN,
      logoSha256: null,
      createdAt: new Date(1_780_000_000_000 + index),
      grade: 4 as const,
      warnings: '',
    };
  }
}

t.test('an archive uses at most 200 bytes of memory per file, however long the names are', async (t) => {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--expose-gc');
  const { runInNewContext } = await import('node:vm');
  globalThis.gc = runInNewContext('gc') as typeof globalThis.gc;
  const open = createArchives({
    redraw,
    shortUrl: (slug) => slug,
    webp: { write: async (png) => Buffer.from(png) },
    freeWork: { spend: () => {} },
    log: silent,
  });
  const print = { size: null, inks: { color: 'rgb', paper: '#ffffff' } } as const;
  const measured = new Map<number, number>();
  const measure = (index: number): void => {
    if ((index === BEFORE || index === CODES - 1) && !measured.has(index)) measured.set(index, usedBytes());
  };
  const files = { formats: ['png'], print } as const;
  const archive = open({ accountId: 'a', codes: () => codesTelling(measure), files });
  for await (const chunk of archive) void chunk;
  const bytesEach = (measured.get(CODES - 1)! - measured.get(BEFORE)!) / (CODES - 1 - BEFORE);
  t.ok(bytesEach <= 200 + 1_000_000 / CODES, `${bytesEach.toFixed(1)} bytes a file`);
  t.comment(`${bytesEach.toFixed(1)} bytes a file`);
});

t.test('kept records are read back, and codes are found when asked for in order', async (t) => {
  const kept = createKept(2);
  const file = (n: number) => ({ crc: n, sizeBytes: n + 1, sha256: Buffer.alloc(32, n) });
  const at = (index: number) => new Date(1_780_000_000_000 + Math.floor(index / 10) * 1000);
  const codeOf = (index: number) => ({
    createdAt: at(index),
    name: 'é'.repeat((index % 41) + 1),
    graded: index % 3 === 0 ? { grade: index % 5, warnings: `low;v=${index % 7}` } : null,
    files: index % 4 === 0 ? [`data: ${index % 5}`, file(index % 256)] : [file(index % 256), file(7)],
  });
  for (let index = 0; index < 3000; index += 1) kept.add(`id ${index}`, codeOf(index));
  t.equal(kept.count, 3000);
  for (const index of [0, 1, 4, 1023, 1024, 2999]) t.strictSame(kept.at(index), codeOf(index), String(index));
  t.equal(kept.findNext('id 0', at(0)), 0);
  t.equal(kept.findNext('new', at(5)), null, 'one that came later');
  t.equal(kept.findNext('id 5', at(5)), 5, 'those between were deleted');
  t.equal(kept.findNext('id 3', at(3)), null, 'those before are never found again');
  t.equal(kept.findNext('id 2999', at(2999)), 2999);
});
