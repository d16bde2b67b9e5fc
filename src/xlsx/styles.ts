import { isDateFormat } from './dates.ts';
import { readXml } from './xml.ts';

/** Returns, for each style of cells, whether it shows numbers as dates. @throws {XlsxFault}. */
export const readDateStyles = async (chunks: AsyncIterable<Buffer>): Promise<readonly boolean[]> => {
  const codes = new Map<number, string>();
  const dates: boolean[] = [];
  let isInCells = false;
  await readXml(chunks, {
    open(name, { numFmtId = '0', formatCode }) {
      const id = Number(numFmtId);
      if (name === 'numFmt') codes.set(id, formatCode ?? '');
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) dates.push(isDateFormat(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
    text() {},
  });
  return dates;
};
