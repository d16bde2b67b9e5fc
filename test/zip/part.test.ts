/** ZIP files from fragments, read by `unzip`, by Python and by yauzl. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { createFolderStore } from '../../src/storage/folder.ts';
import { deflateFile } from '../../src/zip/deflated.ts';
import {
  assemblePart,
  createFragment,
  manifestCrc,
  type NewFile,
  type StoredFragment,
} from '../../src/zip/fragments.ts';
import { writeCentralRecord, writeEndRecords, writeLocalHeader } from '../../src/zip/records.ts';
import { selectFiles } from '../../src/zip/selection.ts';
import { readZip } from '../support/files/zip.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'tessera-zip-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const store = createFolderStore(folder);
const TIME = new Date('2026-03-04T05:06:08Z');
const HEADER = Buffer.from('row,file\r\n');

const files = (from: number, count: number): NewFile[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `${String(from + i).padStart(7, '0')}.png`,
    bytes: Buffer.from(`picture ${from + i}`.repeat(i % 7)),
  }));

const storeFragment = async (from: number, count: number): Promise<StoredFragment> => {
  const { bytes, ...shape } = createFragment(files(from, count), Buffer.from(`${from},line\r\n`), TIME);
  await store.put(`f/${from}`, bytes);
  return { ...shape, key: `f/${from}` };
};

const readAll = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

const assemble = async (fragments: readonly StoredFragment[]) => {
  const crc = await manifestCrc(store, fragments, HEADER);
  return assemblePart(store, fragments, { name: 'manifest.csv', header: HEADER, crc }, TIME);
};

t.test('a ZIP of several fragments is read by unzip and by Python', async (t) => {
  const fragments = [await storeFragment(1, 20), await storeFragment(21, 3), await storeFragment(24, 0)];
  const part = await assemble(fragments);
  const bytes = await readAll(part.read({ start: 0, end: part.bytes }));
  t.equal(bytes.length, part.bytes);
  const path = join(folder, 'a.zip');
  await writeFile(path, bytes);
  t.match((await run('unzip', ['-t', path])).stdout, /No errors detected/);
  const python = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))';
  t.equal((await run('python3', ['-c', python, path])).stdout.trim(), 'None 24');
  const entries = await readZip(bytes);
  t.strictSame(
    entries.slice(0, -1).map(({ name, bytes }) => [name, bytes.toString()]),
    [...files(1, 20), ...files(21, 3)].map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]),
  );
  t.equal(entries.at(-1)!.bytes.toString(), `${HEADER}1,line\r\n21,line\r\n24,line\r\n`);
});

t.test('every range has the same bytes as the whole file', async (t) => {
  const part = await assemble([await storeFragment(1, 5), await storeFragment(6, 4)]);
  const bytes = await readAll(part.read({ start: 0, end: part.bytes }));
  for (let start = 0; start < bytes.length; start += 37) {
    for (const end of [start + 1, start + 100, bytes.length].filter((at) => at <= bytes.length)) {
      const range = await readAll(part.read({ start, end }));
      if (!range.equals(bytes.subarray(start, end))) t.fail(`${start} to ${end}`);
    }
  }
  t.pass('all ranges');
});

t.test('a ZIP with more than 65,535 files can be read', async (t) => {
  const fragments = await Promise.all([1, 22_001, 44_001].map((from) => storeFragment(from, 22_000)));
  const part = await assemble(fragments);
  const path = join(folder, 'many.zip');
  await writeFile(path, await readAll(part.read({ start: 0, end: part.bytes })));
  const python = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))';
  t.equal((await run('python3', ['-c', python, path])).stdout.trim(), 'None 66001');
});

t.test('files beyond 4 GiB are found by 64-bit offsets', async (t) => {
  const small = await storeFragment(1, 2);
  // File contents are not read when a ZIP is assembled, so a sparse region can stand for the first 5 GiB.
  const holeBytes = 5 * 2 ** 30;
  const hole: StoredFragment = {
    key: 'hole',
    files: 0,
    entryBytes: holeBytes,
    manifestBytes: 0,
    directoryBytes: 0,
  };
  const withHole = {
    read: (key: string, range: { start: number; end: number }) =>
      key === 'hole' ? (async function* () {})() : store.read(key, range),
  };
  const fragments = [hole, small];
  const crc = await manifestCrc(withHole, fragments, HEADER);
  const part = assemblePart(withHole, fragments, { name: 'manifest.csv', header: HEADER, crc }, TIME);
  const path = join(folder, 'large.zip');
  const file = await open(path, 'w');
  await file.write(await readAll(part.read({ start: holeBytes, end: part.bytes })), 0, null, holeBytes);
  await file.close();
  const python = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))';
  t.equal((await run('python3', ['-c', python, path])).stdout.trim(), 'None 3');
});

t.test('a ZIP that is streamed from start to end has 64-bit offsets where it needs them', async (t) => {
  const [first, second] = files(2, 2).map(({ name, bytes }) => ({
    name,
    bytes,
    crc: crc32(bytes),
    sizeBytes: bytes.length,
  }));
  const holeBytes = 5 * 2 ** 30;
  const head = Buffer.concat([writeLocalHeader(first!, TIME), first!.bytes]);
  const chunks: Buffer[] = [writeLocalHeader(second!, TIME), Buffer.from(second!.bytes)];
  const texts = (async function* () {
    yield String(HEADER);
    yield 'line\r\n'.repeat(1000);
  })();
  const manifest = deflateFile('manifest.csv', texts, TIME);
  let step = await manifest.next();
  for (; !step.done; step = await manifest.next()) chunks.push(step.value);
  const written = step.value;
  t.equal(Buffer.concat(chunks.slice(2)).length, written.totalBytes);
  const manifestStart = holeBytes + chunks[0]!.length + chunks[1]!.length;
  const records = [
    writeCentralRecord(first!, TIME, 0),
    writeCentralRecord(second!, TIME, holeBytes),
    writeCentralRecord(written, TIME, manifestStart),
  ];
  const directoryStart = manifestStart + written.totalBytes;
  const directoryBytes = Buffer.concat(records).length;
  const path = join(folder, 'streamed.zip');
  const file = await open(path, 'w');
  await file.write(head, 0, null, 0);
  const rest = Buffer.concat([
    ...chunks,
    ...records,
    writeEndRecords({ files: 3, directoryStart, directoryBytes }),
  ]);
  await file.write(rest, 0, null, holeBytes);
  await file.close();
  const python =
    'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.read("manifest.csv")))';
  t.equal((await run('python3', ['-c', python, path])).stdout.trim(), `None ${HEADER.length + 6000}`);
});

t.test('some files of fragments make a ZIP that has just them, with their lines', async (t) => {
  const fragments: StoredFragment[] = [];
  const all: NewFile[] = [];
  for (const from of [101, 104, 105]) {
    const count = from === 104 ? 1 : 3;
    const lines = files(from, count).map(
      ({ name }) => `${Number(name.slice(0, 7))},"line\r\n""${name}"""\r\n`,
    );
    const { bytes, ...shape } = createFragment(files(from, count), Buffer.from(lines.join('')), TIME);
    await store.put(`s/${from}`, bytes);
    all.push(...files(from, count));
    fragments.push({ ...shape, key: `s/${from}` });
  }
  const numbers = [101, 102, 103, 104, 105, 106, 107];
  for (let chosen = 0; chosen < 2 ** numbers.length; chosen += 1) {
    const wanted = numbers.filter((_, i) => chosen & (1 << i));
    const isWanted = (text: string) => wanted.includes(Number.parseInt(text, 10));
    const manifest = { name: 'manifest.csv', header: HEADER, encoding: 'utf8' } as const;
    const part = await selectFiles(store, fragments, { manifest, isFile: isWanted, isLine: isWanted }, TIME);
    const bytes = await readAll(part.read({ start: 0, end: part.bytes }));
    t.equal(bytes.length, part.bytes);
    const read = await readZip(bytes);
    const expected = all.filter(({ name }) => isWanted(name));
    t.strictSame(
      read.slice(0, -1).map((file) => [file.name, file.bytes.toString()]),
      expected.map((file) => [file.name, Buffer.from(file.bytes).toString()]),
    );
    const lines = expected.map(({ name }) => `${Number(name.slice(0, 7))},"line\r\n""${name}"""\r\n`);
    t.equal(read.at(-1)!.bytes.toString(), HEADER + lines.join(''));
  }
});
