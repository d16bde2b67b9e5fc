/** Makes files on this machine, as the gateway makes them: from what a code says and the design of its row. */
import Type from 'typebox';
import Value from 'typebox/value';
import type { Rendered } from '../../../../workers/protocol.ts';
import { type CodeFile, filePath } from '../../../csv/file-columns.ts';
import { type FileFormat, layOutFile } from '../../../generate/file.ts';
import { parseChanges, withChanges } from '../../../generate/repair/changes.ts';
import { toDesign } from '../../../generate/request/design.ts';
import { mergeOptions } from '../../../generate/request/merge.ts';
import { Data, PictureOptions } from '../../../generate/request/picture-options.ts';
import { isPrintField } from '../../../generate/request/print.ts';
import type { BulkItem } from '../../../generate/request/request.ts';
import { ok, type Result, refused } from '../../../result.ts';
import type { Api } from '../../api.ts';
import type { Output } from '../../terminal.ts';
import type { Store } from '../store.ts';
import { drawsFormat, type FilesAsked, termsOf } from './asked.ts';
import { createDrawing, type Drawing } from './drawing.ts';
import { type FileMaker, type MadeRow, pngOf, type RowAnswer } from './file-maker.ts';
import { createLines } from './lines.ts';
import { createLinkText } from './link-text.ts';
import { readPreset } from './preset.ts';

/** What makes files on this machine. */
export interface DrawnFilesParts {
  readonly api: Api;
  readonly store: Store;
  /** Takes what the render threads complain of. */
  readonly err: Output;
  /** Id or name of the preset of the run; `null`: it has none. */
  readonly preset: string | null;
}

/** Rows in memory at a time, with all their files. */
const ROWS_AT_ONCE = 8;

/** The parts of an item that decide its size on paper. */
const Sized = Type.Object({
  data: Data,
  dynamic: Type.Optional(Type.Literal(false)),
  shape: PictureOptions.properties.shape,
  qrOptions: PictureOptions.properties.qrOptions,
});

/** Returns why the size of a static code is impossible. What else is wrong with an item is for the gateway to say. */
const sizeFault = (item: unknown, asked: FilesAsked): string | null => {
  if (!Value.Check(Sized, item)) return null;
  const { data, shape, qrOptions } = item;
  const design = toDesign({ shape, qrOptions } as PictureOptions);
  for (const format of asked.formats) {
    const laid = layOutFile(data, design, termsOf(format, asked));
    if (!laid.ok && isPrintField(laid.fault.field)) return `${laid.fault.field}: ${laid.fault.message}`;
  }
  return null;
};

/** Makes a maker that draws every file but the PNG in pixels, which is the picture of the answer. */
export const createDrawnFiles = async (
  asked: FilesAsked,
  { api, store, err, preset }: DrawnFilesParts,
): Promise<FileMaker> => {
  const base = preset === null ? {} : await readPreset(api, preset);
  const itemOf = (json: string): BulkItem => mergeOptions<BulkItem>(base, JSON.parse(json));
  const drawing: Drawing = await createDrawing(err);
  const linkText = createLinkText(api);
  const inLine = createLines(ROWS_AT_ONCE);
  const drawn = asked.formats.filter((format) => drawsFormat(format, asked));

  const saveAll = async (
    name: string,
    files: readonly (readonly [FileFormat, Uint8Array])[],
  ): Promise<readonly CodeFile[]> => {
    const saved: CodeFile[] = [];
    for (const [format, bytes] of files) {
      const file = filePath(name, format, asked.formats);
      saved.push({ format, file, sha256: await store.save(file, bytes) });
    }
    return saved;
  };

  const drawAll = async (
    text: string,
    item: BulkItem,
    logo: Parameters<Drawing['draw']>[0]['found'],
  ): Promise<Result<ReadonlyMap<FileFormat, Rendered>, string>> => {
    const design = toDesign(item);
    const pictures = new Map<FileFormat, Rendered>();
    for (const format of drawn) {
      const laid = layOutFile(text, design, termsOf(format, asked));
      if (!laid.ok) return refused(`${laid.fault.field}: ${laid.fault.message}`);
      const picture = await drawing.draw({ text, ...laid.value, found: logo, format });
      if (!picture.ok) return picture;
      pictures.set(format, picture.value);
    }
    return ok(pictures);
  };

  const make = async ({ name, content, item: json }: MadeRow, answer: RowAnswer) => {
    const item = withChanges(itemOf(json), parseChanges(answer.repaired ?? ''));
    const png = pngOf(answer);
    const link = answer.slug === undefined ? {} : { shortUrl: await linkText(answer.slug, png) };
    const logo = await drawing.findLogo(item.image);
    if (!logo.ok) return logo;
    const pictures = await drawAll(link.shortUrl ?? content, item, logo.value);
    if (!pictures.ok) return pictures;
    const files = await saveAll(
      name,
      asked.formats.map((format) => [format, pictures.value.get(format)?.bytes ?? png]),
    );
    const [first] = pictures.value.values();
    return ok({ files, grade: first!.grade, warnings: first!.warnings, ...link });
  };

  return {
    faultOf: (item) => sizeFault(itemOf(item), asked),
    async make(row, answer) {
      const made = await inLine(() => make(row, answer));
      return made.ok ? made : refused(`made and paid for, but its files cannot be drawn here: ${made.fault}`);
    },
    close: () => drawing.close(),
  };
};
