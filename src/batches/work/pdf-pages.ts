/**
 * One PDF of many pages from files of one page, as workers/vector/pdf.ts writes them. Each file is taken apart and its
 * page written at once; what several pages have in common, such as fonts, logos and gradients, is written once. In
 * memory are the file at hand, the place of each object, and the hashes of what may be shared.
 */
import { createHash } from 'node:crypto';

/** An object of a file: its dictionary, and what follows it: a stream, or nothing but its end. */
interface PdfObject {
  readonly dictionary: string;
  readonly rest: Buffer;
}

const STREAM = Buffer.from('\nstream\n');
const END = Buffer.from('\nendobj\n');
/** A page, but not the tree of pages. */
const PAGE = /^\/Type \/Page$/m;
const REFERENCE = /\b(\d+) 0 R\b/g;

const damaged = (): Error => new Error('a stored PDF is not as it was written');

/** Reads the objects of a file by its table of references (ISO 32000-1, 7.5.4). @throws {Error} When it has none. */
const readObjects = (file: Buffer): ReadonlyMap<number, PdfObject> => {
  const [, start] = /startxref\n(\d+)\n%%EOF/.exec(file.toString('latin1', file.length - 64)) ?? [];
  const [name, counts = '', , ...lines] = file.toString('latin1', Number(start)).split('\n');
  if (start === undefined || name !== 'xref') throw damaged();
  const starts = lines.slice(0, Number(counts.split(' ')[1]) - 1).map((line) => Number(line.slice(0, 10)));
  const ends = [...starts, Number(start)].sort((a, b) => a - b);
  return new Map(
    starts.map((from, index): [number, PdfObject] => {
      const object = file.subarray(from, ends[ends.indexOf(from) + 1]);
      const begin = object.indexOf('obj\n') + 4;
      const at = object.indexOf(STREAM);
      const end = at === -1 ? object.length - END.length : at;
      return [index + 1, { dictionary: object.toString('latin1', begin, end), rest: object.subarray(end) }];
    }),
  );
};

const CATALOG = 1;
const PAGES = 2;
const INFO = 3;
/** Pages of a node: viewers find a page in a tree of two levels without reading all others. */
const PAGES_OF_NODE = 250;
/** Objects that are remembered for sharing. Later ones are written as often as they occur. */
const SHARED_MAX = 20_000;
/** The places in a table of references have ten digits. */
const MAX_BYTES = 9_999_999_999;
/** Lines of the table that are written together. */
const TABLE_LINES = 800;

/** What is written, and where each object of it begins. */
const createOutput = () => {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** By number; 0: not written yet. */
  const starts: number[] = new Array(INFO + 1).fill(0);
  const write = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new RangeError('the document is too large for a PDF; ask for fewer rows');
  };
  return {
    write,
    reserve: (): number => starts.push(0) - 1,
    object(number: number, dictionary: string, rest: Buffer = END): void {
      starts[number] = bytes;
      write(Buffer.from(`${number} 0 obj\n${dictionary}`, 'latin1'));
      write(rest);
    },
    take(): Buffer {
      const taken = Buffer.concat(chunks);
      chunks = [];
      return taken;
    },
    starts: starts as readonly number[],
    at: (): number => bytes,
  };
};

type Output = ReturnType<typeof createOutput>;

/** Yields the table of references and the trailer. */
function* endOf({ starts, at }: Output, id: string): Generator<Buffer, void> {
  const tableAt = at();
  yield Buffer.from(`xref\n0 ${starts.length}\n0000000000 65535 f \n`);
  for (let from = 1; from < starts.length; from += TABLE_LINES) {
    const lines = starts.slice(from, from + TABLE_LINES);
    yield Buffer.from(lines.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join(''));
  }
  const trailer = `<< /Size ${starts.length} /Root ${CATALOG} 0 R /Info ${INFO} 0 R /ID [<${id}> <${id}>] >>`;
  yield Buffer.from(`trailer\n${trailer}\nstartxref\n${tableAt}\n%%EOF\n`);
}

/** Makes a function that writes what pages have in common, each thing once, and returns its number. */
const createSharing = (output: Output) => {
  const known = new Map<string, number>();
  return (dictionary: string, rest: Buffer): number => {
    const hash = createHash('sha256').update(dictionary, 'latin1').update(rest).digest('base64');
    const shared = known.get(hash);
    if (shared !== undefined) return shared;
    const number = output.reserve();
    output.object(number, dictionary, rest);
    if (known.size < SHARED_MAX) known.set(hash, number);
    return number;
  };
};

/**
 * Opens a document, whose bytes follow from the files and `name` alone.
 *
 * @param name What it is called among all documents, for its id.
 */
export const createPdfPages = (name: string) => {
  const output = createOutput();
  output.write(Buffer.from('%PDF-1.4\n%\xff\xff\xff\xff\n', 'latin1'));
  const share = createSharing(output);
  const nodes: number[] = [];
  let kids: number[] = [];
  let count = 0;

  const referTo = (numbers: readonly number[]): string => `[${numbers.map((n) => `${n} 0 R`).join(' ')}]`;

  const closeNode = (): void => {
    if (kids.length === 0) return;
    const dictionary = `<< /Type /Pages /Parent ${PAGES} 0 R /Kids ${referTo(kids)} /Count ${kids.length} >>`;
    output.object(nodes.at(-1)!, dictionary);
    kids = [];
  };

  /** Writes an object and all that it refers to, and returns its number. */
  const place = (objects: ReadonlyMap<number, PdfObject>, number: number): number => {
    const { dictionary, rest } = objects.get(number)!;
    return share(
      dictionary.replace(REFERENCE, (_, other: string) => `${place(objects, Number(other))} 0 R`),
      rest,
    );
  };

  /** Returns the number of what a page has under a key. Its content is its own. */
  const placeFor = (key: string, objects: ReadonlyMap<number, PdfObject>, number: number): number => {
    if (key === 'Parent') return nodes.at(-1)!;
    if (key !== 'Contents') return place(objects, number);
    const { dictionary, rest } = objects.get(number)!;
    const own = output.reserve();
    output.object(own, dictionary, rest);
    return own;
  };

  return {
    /** Adds the page of a file, and returns the bytes that are written since the last call. */
    add(file: Buffer): Buffer {
      const objects = readObjects(file);
      const page = [...objects.values()].find(({ dictionary }) => PAGE.test(dictionary));
      if (page === undefined) throw damaged();
      if (kids.length === 0) nodes.push(output.reserve());
      const written = page.dictionary.replace(
        /\/(\w+) (\d+) 0 R\b/g,
        (_, key: string, other: string) => `/${key} ${placeFor(key, objects, Number(other))} 0 R`,
      );
      const number = output.reserve();
      output.object(number, written, page.rest);
      kids.push(number);
      count += 1;
      if (kids.length === PAGES_OF_NODE) closeNode();
      return output.take();
    },
    /** Ends the document. Yields the bytes that are left. */
    *end(): Generator<Buffer, void> {
      closeNode();
      output.object(PAGES, `<< /Type /Pages /Kids ${referTo(nodes)} /Count ${count} >>`);
      output.object(CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`);
      output.object(INFO, '<< /Producer (Tessera) /Creator (Tessera) >>');
      yield output.take();
      yield* endOf(output, createHash('sha256').update(name).digest('hex').slice(0, 32));
    },
  };
};
