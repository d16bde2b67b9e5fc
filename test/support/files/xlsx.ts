/** Writes XLSX files like a spreadsheet program or an attacker. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A part, or one that declares a false length. */
export type Part = string | Buffer | { readonly bytes: Buffer; readonly said: number };

const headerOf = (name: Buffer, crc: number, packed: number, length: number): Buffer => {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
};

/** Returns a ZIP file of the parts. */
export const zipOf = (parts: Readonly<Record<string, Part>>): Buffer => {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, part] of Object.entries(parts)) {
    const isPlain = typeof part === 'string' || Buffer.isBuffer(part);
    const bytes = isPlain ? Buffer.from(part as string) : part.bytes;
    const packed = deflateRawSync(bytes);
    const name = Buffer.from(path);
    const fields = headerOf(name, crc32(bytes), packed.length, isPlain ? bytes.length : part.said);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, name]));
    local.push(entry);
    at += entry.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(local.length, 8);
  end.writeUInt16LE(local.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, entries, end]);
};

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

const relations = (...list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** Escapes a text for XML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!);

/** A row of inline strings. */
export const textRow = (texts: readonly string[]): string =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`).join('')}</row>`;

/** Returns the parts of a workbook. Some may be replaced. */
export const workbookOf = (
  rows: string,
  {
    strings = '',
    styles = '',
    parts = {},
  }: { strings?: string; styles?: string; parts?: Readonly<Record<string, Part>> } = {},
): Record<string, Part> => ({
  '_rels/.rels': relations(['r', 'officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr/><sheets><sheet name="old" sheetId="1" state="hidden" r:id="h"/><sheet name="codes" sheetId="2" r:id="s"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(
    ['h', 'worksheet', 'worksheets/sheet1.xml'],
    ['s', 'worksheet', '/xl/worksheets/sheet2.xml'],
    ['t', 'sharedStrings', 'sharedStrings.xml'],
    ['y', 'styles', 'styles.xml'],
  ),
  'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${textRow(['hidden'])}</sheetData></worksheet>`,
  'xl/worksheets/sheet2.xml': `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
  'xl/sharedStrings.xml': `<sst ${MAIN}>${strings}</sst>`,
  'xl/styles.xml': `<styleSheet ${MAIN}>${styles}</styleSheet>`,
  ...parts,
});

/** Returns an XLSX file of rows of texts. */
export const xlsxOf = (rows: readonly (readonly string[])[]): Buffer =>
  zipOf(workbookOf(rows.map(textRow).join('')));
