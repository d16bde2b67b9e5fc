/** The shared strings of a workbook. */
import { CELL_MAX_LENGTH } from '../csv/columns.ts';
import { CELL_TOO_LONG, SHARED, XlsxFault } from './bounds.ts';
import { readXml } from './xml.ts';

/** Texts by index, from 0. */
export interface Texts {
  at(index: number): string | undefined;
}

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;

/** Texts concatenated as UTF-8, which takes a fraction of the memory of separate strings. */
interface Page {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
}

const toPage = (texts: readonly string[]): Page => {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    end += Buffer.byteLength(text);
    ends[index] = end;
  }
  return { bytes: Buffer.from(texts.join('')), ends };
};

const createTexts = () => {
  const pages: Page[] = [];
  let open: string[] = [];
  let bytes = 0;
  let count = 0;
  return {
    add(text: string): void {
      bytes += Buffer.byteLength(text);
      count += 1;
      if (bytes > SHARED.maxBytes || count > SHARED.maxTexts)
        throw new XlsxFault('has more text than can be read from XLSX; save it as CSV');
      open.push(text);
      if (open.length < PAGE) return;
      pages.push(toPage(open));
      open = [];
    },
    at(index: number): string | undefined {
      const page = pages[index >> PAGE_BITS];
      const place = index & (PAGE - 1);
      if (page === undefined) return index >> PAGE_BITS === pages.length ? open[place] : undefined;
      return page.bytes.toString('utf8', place === 0 ? 0 : page.ends[place - 1], page.ends[place]);
    },
  };
};

/** Decodes escapes of characters that XML cannot represent, such as `_x000D_`. */
export const withoutEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Joins the runs of one text, ignoring phonetic hints. */
export const createRuns = () => {
  let text = '';
  let isTaken = false;
  let isPhonetic = false;
  return {
    open(name: string): void {
      if (name === 'rPh') isPhonetic = true;
      isTaken = name === 't' && !isPhonetic;
    },
    close(name: string): void {
      if (name === 'rPh') isPhonetic = false;
      isTaken = false;
    },
    text(more: string): void {
      if (!isTaken) return;
      text += more;
      if (text.length > CELL_MAX_LENGTH) throw new XlsxFault(CELL_TOO_LONG);
    },
    /** Returns the text so far and begins another one. */
    take(): string {
      const whole = withoutEscapes(text);
      text = '';
      return whole;
    },
  };
};

/** Reads the shared strings. @throws {XlsxFault} when there are too many. */
export const readTexts = async (chunks: AsyncIterable<Buffer>): Promise<Texts> => {
  const texts = createTexts();
  const runs = createRuns();
  await readXml(chunks, {
    open: runs.open,
    close(name) {
      runs.close(name);
      if (name === 'si') texts.add(runs.take());
    },
    text: runs.text,
  });
  return texts;
};
