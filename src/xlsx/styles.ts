import type { StoredFormat } from './formats.ts';
import { readXml } from './xml.ts';

/** Returns the number format of each style of cells. @throws {XlsxFault}. */
export const readStyles = async (chunks: AsyncIterable<Buffer>): Promise<readonly StoredFormat[]> => {
  const formats = new Map<number, StoredFormat>();
  const styles: StoredFormat[] = [];
  let isInCells = false;
  await readXml(chunks, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      const id = Number(numFmtId);
      if (name === 'numFmt') formats.set(id, { id, code: formatCode });
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        const format = formats.get(id) ?? { id, code: null };
        // Styles that differ in other ways share it.
        formats.set(id, format);
        styles.push(format);
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
    text() {},
  });
  return styles;
};
