/** Reads XML as a stream, within limits. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { CELL_TOO_LONG, NOT_XLSX, XlsxFault, XML } from './bounds.ts';

/** Callbacks for the elements of a document, by name without prefix. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Returns a name without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Holds what later versions of programs add, under names that the document itself has, such as `x15:workbookPr`. */
const EXTENSIONS = 'extLst';

/**
 * Takes the text of a document in chunks; `null` ends it. Leaves out extensions. Custom entities are refused, since
 * spreadsheet documents have none.
 */
const createXmlReader = ({ open, close, text }: XmlEvents): ((chunk: string | null) => void) => {
  const parser = new SaxesParser({ xmlns: false });
  let depth = 0;
  let length = 0;
  /** The depth of the extensions that it is in. */
  let leftOutAt = Number.POSITIVE_INFINITY;
  const takeText = (more: string): void => {
    if (depth < leftOutAt) text(more);
  };
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    length = 0;
    depth += 1;
    if (depth > XML.depthMax) throw new XlsxFault(NOT_XLSX);
    const local = localName(name);
    if (local === EXTENSIONS) leftOutAt = Math.min(leftOutAt, depth);
    if (depth < leftOutAt) open(local, attributes);
  });
  parser.on('closetag', ({ name }) => {
    length = 0;
    if (depth < leftOutAt) close(localName(name));
    else if (depth === leftOutAt) leftOutAt = Number.POSITIVE_INFINITY;
    depth -= 1;
  });
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('doctype', () => {
    throw new XlsxFault(NOT_XLSX);
  });
  return (chunk) => {
    length += chunk?.length ?? 0;
    try {
      parser.write(chunk);
    } catch (error) {
      throw error instanceof XlsxFault || error instanceof RangeError
        ? error
        : new XlsxFault(NOT_XLSX, { cause: error });
    }
    if (length > XML.tokenMaxLength) throw new XlsxFault(CELL_TOO_LONG);
  };
};

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof XlsxFault ? error : new XlsxFault(NOT_XLSX, { cause: error });
  }
}

/**
 * Reads a document, and yields after each chunk.
 *
 * @throws {XlsxFault} when it is not XML in UTF-8, or exceeds the limits.
 */
export async function* readXmlInSteps(
  chunks: AsyncIterable<Buffer>,
  events: XmlEvents,
): AsyncGenerator<void> {
  const push = createXmlReader(events);
  for await (const text of decoded(chunks)) {
    try {
      push(text);
    } finally {
      yield;
    }
  }
  push(null);
}

/** Reads a whole document. @throws {XlsxFault} as `readXmlInSteps`. */
export const readXml = async (chunks: AsyncIterable<Buffer>, events: XmlEvents): Promise<void> => {
  for await (const _ of readXmlInSteps(chunks, events));
};
