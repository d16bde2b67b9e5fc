/** Reads the results of a batch as its owner would, and reports what is wrong with them. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import { type Entry, open, type ZipFile } from 'yauzl';
import { decodePng } from '../../support/pictures/decode.ts';

/** Calls a gateway with the key of the batch's account. */
export type Ask = (path: string) => Promise<Response>;

/** The contents of the parts of a batch. */
export interface Results {
  readonly parts: number;
  readonly bytes: number;
  readonly files: number;
  readonly decoded: number;
  /** The manifest lines, one for each file, in the order of the parts. */
  readonly manifest: readonly Readonly<Record<string, string>>[];
  /** What is wrong; empty if nothing is. */
  readonly faults: readonly string[];
}

interface ListedPart {
  readonly n: number;
  readonly codes: number;
  readonly bytes: number;
  readonly sha256: string;
}

const openZip = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, strictFileNames: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });

const readEntry = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(buffer(stream))));
  });

/** Calls `take` with each file of a ZIP in order. @throws When the ZIP is incomplete or a checksum is wrong. */
const eachFile = async (
  path: string,
  take: (name: string, bytes: Buffer) => void | Promise<void>,
): Promise<void> => {
  const zip = await openZip(path);
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      readEntry(zip, entry)
        .then((bytes) => take(entry.fileName, bytes))
        .then(() => zip.readEntry(), reject);
    });
    zip.on('end', resolve).on('error', reject);
    zip.readEntry();
  });
};

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Stores a download, and returns its length and SHA-256. */
const download = async (response: Response, path: string) => {
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(response.body as never), measured, createWriteStream(path));
  return { bytes, sha256: hash.digest('hex') };
};

/**
 * Downloads all parts of a batch to `folder`, one at a time, and compares them with their list, their SHA-256 and their
 * manifest. About every `sampled`th picture is decoded: it must be the short link of its line.
 */
export const readResults = async (
  ask: Ask,
  batchId: string,
  { folder, sampled, formats }: Readonly<{ folder: string; sampled: number; formats: readonly string[] }>,
): Promise<Results> => {
  const path = `/api/v1/batches/${batchId}/parts`;
  const { data } = (await (await ask(path)).json()) as { data: readonly ListedPart[] };
  const faults: string[] = [];
  const manifest: Record<string, string>[] = [];
  let [bytes, files, decoded] = [0, 0, 0];
  for (const part of data) {
    const file = join(folder, `part-${part.n}.zip`);
    const got = await download(await ask(`${path}/${part.n}`), file);
    if (got.bytes !== part.bytes || got.sha256 !== part.sha256)
      faults.push(`part ${part.n} is not the one that is listed`);
    const found = new Map<string, string>();
    const samples = new Map<string, string | null>();
    let lines: Record<string, string>[] = [];
    await eachFile(file, async (name, content) => {
      if (name === 'manifest.csv') {
        lines = parse(content, { columns: true }) as Record<string, string>[];
        return;
      }
      if (found.has(name)) faults.push(`${name} occurs twice`);
      found.set(name, sha256Of(content));
      if (name.endsWith('.png') && found.size % sampled <= 1) samples.set(name, await decodePng(content));
    });
    if (found.size !== lines.length || found.size !== part.codes * formats.length)
      faults.push(`part ${part.n} has ${found.size} files, ${lines.length} lines and ${part.codes} codes`);
    const wrong = lines.filter(({ file: name, sha256 }) => found.get(name!) !== sha256).length;
    if (wrong > 0) faults.push(`${wrong} lines of part ${part.n} have another SHA-256 than their file`);
    for (const { file: name, short_url } of lines)
      if (samples.has(name!) && samples.get(name!) !== short_url)
        faults.push(`${name} reads ${samples.get(name!)} and not ${short_url}`);
    bytes += got.bytes;
    files += found.size;
    decoded += samples.size;
    manifest.push(...lines);
    await rm(file);
  }
  return { parts: data.length, bytes, files, decoded, manifest, faults };
};
