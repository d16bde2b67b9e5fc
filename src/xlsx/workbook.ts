/** What a workbook says about its parts. */
import { posix } from 'node:path';
import { SMALL_PART_MAX_BYTES } from './bounds.ts';
import { NOT_XLSX, XlsxFault } from './fault.ts';
import type { Parts } from './parts.ts';
import { readXml } from './xml.ts';

/** Where the first worksheet is, and what reading its cells needs. */
export interface Workbook {
  readonly sheet: string;
  readonly strings: string | null;
  readonly styles: string | null;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

interface Relation {
  readonly id: string;
  /** The last segment of its type URI. */
  readonly type: string;
  readonly path: string;
}

const ignore = (): void => {};

const relationsOf = async (parts: Parts, path: string): Promise<readonly Relation[]> => {
  const folder = posix.dirname(path);
  const file = path === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  const relations: Relation[] = [];
  const chunks = parts.read(file, SMALL_PART_MAX_BYTES);
  if (chunks === null) throw new XlsxFault(NOT_XLSX);
  await readXml(chunks, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return;
      relations.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        path: posix.resolve('/', folder, target),
      });
    },
    close: ignore,
    text: ignore,
  });
  return relations;
};

interface Sheet {
  readonly relation: string;
  readonly isHidden: boolean;
}

const readSheets = async (parts: Parts, path: string) => {
  const sheets: Sheet[] = [];
  let is1904 = false;
  const chunks = parts.read(path, SMALL_PART_MAX_BYTES);
  if (chunks === null) throw new XlsxFault(NOT_XLSX);
  await readXml(chunks, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([key]) => /:id$/.test(key)) ?? [];
      sheets.push({ relation, isHidden: (attributes.state ?? 'visible') !== 'visible' });
    },
    close: ignore,
    text: ignore,
  });
  return { sheets, is1904 };
};

/** Finds the first worksheet that is not hidden. @throws {XlsxFault} when there is none. */
export const readWorkbook = async (parts: Parts): Promise<Workbook> => {
  const path = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.path;
  if (path === undefined) throw new XlsxFault(NOT_XLSX);
  const { sheets, is1904 } = await readSheets(parts, path);
  const relations = await relationsOf(parts, path);
  const pathOf = (is: (relation: Relation) => boolean) => relations.find(is)?.path ?? null;
  const worksheets = sheets.flatMap(({ relation, isHidden }) => {
    const found = pathOf(({ id, type }) => id === relation && type === 'worksheet');
    return found === null ? [] : [{ found, isHidden }];
  });
  const sheet = (worksheets.find(({ isHidden }) => !isHidden) ?? worksheets[0])?.found;
  if (sheet === undefined) throw new XlsxFault('has no worksheet');
  return {
    sheet,
    strings: pathOf(({ type }) => type === 'sharedStrings'),
    styles: pathOf(({ type }) => type === 'styles'),
    is1904,
  };
};
