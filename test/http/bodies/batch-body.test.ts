/** Large answers to bulk calls are written one picture at a time. */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import t from 'tap';
import type { BulkResult } from '../../../src/generate/bulk/answer.ts';
import {
  bytesOf,
  createResultWriter,
  LARGE_BYTES,
  streamBulk,
} from '../../../src/http/bodies/bulk-answer.ts';

const drawn = (bytes: number, slug: string | null): BulkResult => ({
  success: true,
  id: '0197f3a0-0000-7000-8000-000000000001',
  png: randomBytes(bytes),
  slug,
  shortUrl: slug === null ? null : `https://qr.test/l/${slug}`,
  repaired: '',
  grade: 3,
  warnings: 'quiet-zone;v=1',
});
const failed: BulkResult = { success: false, error: 'a "quoted" fault' };
const meta = { total: 3, successful: 2 };

const plain = createResultWriter({});

t.test('a streamed answer is the same JSON as the serialized object', async (t) => {
  const results = [drawn(700_000, null), failed, drawn(700_000, 'abcdefgh')];
  t.ok(bytesOf(results) > LARGE_BYTES);
  for (const write of [plain, createResultWriter({ 'tessera-results': 'full' })]) {
    const whole = JSON.stringify({ success: true, results: results.map(write), meta });
    t.equal((await text(streamBulk(results, write, meta))) === whole, true);
  }
  t.equal(await text(streamBulk([], plain, meta)), JSON.stringify({ success: true, results: [], meta }));
  t.notOk(bytesOf([drawn(100_000, null), failed]) > LARGE_BYTES);
});

t.test('other work runs between two large pictures', async (t) => {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  t.teardown(() => clearImmediate(timer));
  await text(
    streamBulk(
      Array.from({ length: 20 }, () => drawn(100_000, null)),
      plain,
      meta,
    ),
  );
  t.ok(turns >= 20, `${turns} turns for 20 pictures`);
});
