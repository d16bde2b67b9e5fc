/** Makes the files of rows as the gateway makes them: from what a code says and the design of its row. */
import pLimit from 'p-limit';
import Type from 'typebox';
import Value from 'typebox/value';
import type { FileFormat } from '../../../../workers/lists.ts';
import type { Rendered } from '../../../../workers/protocol.ts';
import { type CodeFile, filePath } from '../../../csv/file-columns.ts';
import { layOutFile } from '../../../generate/file.ts';
import { parseChanges, withChanges } from '../../../generate/quality/repair.ts';
import { toDesign } from '../../../generate/request/design.ts';
import { mergeOptions } from '../../../generate/request/merge.ts';
import { Data, PictureOptions } from '../../../generate/request/picture-options.ts';
import { isPrintField } from '../../../generate/request/print.ts';
import type { BulkItem } from '../../../generate/request/request.ts';
import { ok, type Result, refused } from '../../../result.ts';
import { commandError } from '../../fault.ts';
import type { Row } from '../input/input.ts';
import type { RowResult } from '../journal.ts';
import type { Work } from '../run.ts';
import type { ItemResult } from '../sender.ts';
import { createShortUrls, readBase } from '../short-urls.ts';
import { drawsFormat, type FilesAsked, termsOf } from './asked.ts';
import { createDrawing, type Drawing } from './drawing.ts';
import { readPreset } from './preset.ts';

/** The files of a row, on the disk, and what is known of them. */
export type MadeFiles = Required<Pick<RowResult, 'files'>> &
  Pick<RowResult, 'grade' | 'warnings' | 'shortUrl'>;

/** Makes the files of rows. */
export type FileMaker = Awaited<ReturnType<typeof createFileMaker>>;

const PREFIX = 'data:image/png;base64,';

/** Returns the PNG of a data URL. @throws {CliFault} when it is not a PNG data URL. */
const pngOf = (data: string): Buffer => {
  if (!data.startsWith(PREFIX)) throw commandError('the gateway answered with something other than a PNG');
  return Buffer.from(data.slice(PREFIX.length), 'base64');
};

/** Rows that are drawn at a time, with all their files in memory. */
const ROWS_AT_ONCE = 8;
/** A thread takes 0.2 to 0.3 s to start, and then 15 to 25 ms for the PNG, SVG and PDF of a row at 600 dpi. */
const ROWS_A_THREAD = 16;

/** The parts of an item that decide its size on paper. */
const Sized = Type.Object({
  data: Data,
  dynamic: Type.Optional(Type.Literal(false)),
  shape: PictureOptions.properties.shape,
  qrOptions: PictureOptions.properties.qrOptions,
});

/**
 * Returns why the size of a static code is impossible, or unsuitable for tills. All other faults of an item are left to
 * the gateway.
 */
const sizeFault = (item: unknown, asked: FilesAsked): string | null => {
  if (!Value.Check(Sized, item)) return null;
  const { data, shape, qrOptions } = item;
  const design = toDesign({ shape, qrOptions } as PictureOptions);
  const needsGs1 = asked.print.till === true || asked.print.text === 'gs1';
  for (const format of asked.formats) {
    const laid = layOutFile(data, design, termsOf(format, asked));
    if (!laid.ok && (needsGs1 || isPrintField(laid.fault.field)))
      return `${laid.fault.field}: ${laid.fault.message}`;
  }
  return null;
};

/**
 * Creates the file maker of a run. It draws every file except the PNG in pixels, which comes with the answer, and
 * starts render threads only when it draws any.
 */
export const createFileMaker = async (
  asked: FilesAsked,
  { api, store, err, run, resumed }: Pick<Work, 'api' | 'store' | 'err' | 'run' | 'resumed'>,
) => {
  const drawn = asked.formats.filter((format) => drawsFormat(format, asked));
  const base = drawn.length === 0 || run.preset === null ? {} : await readPreset(api, run.preset);
  const threads = Math.ceil((run.rows - resumed.rowsDone) / ROWS_A_THREAD);
  const drawing = drawn.length === 0 ? null : await createDrawing(err, Math.max(1, threads));
  const itemOf = (json: string): BulkItem => mergeOptions<BulkItem>(base, JSON.parse(json));
  const shortUrlOf = createShortUrls(api, readBase);
  const inTurn = pLimit(drawing === null ? Number.POSITIVE_INFINITY : ROWS_AT_ONCE);

  const saveAll = async (
    name: string,
    pictures: ReadonlyMap<FileFormat, Rendered>,
    png: Buffer,
  ): Promise<readonly CodeFile[]> => {
    const files: CodeFile[] = [];
    for (const format of asked.formats) {
      const file = filePath(name, format, asked.formats);
      files.push({ format, file, sha256: await store.save(file, pictures.get(format)?.bytes ?? png) });
    }
    return files;
  };

  const drawAll = async (
    { draw, findLogo }: Drawing,
    text: string,
    item: BulkItem,
  ): Promise<Result<ReadonlyMap<FileFormat, Rendered>, string>> => {
    const logo = await findLogo(item.image);
    if (!logo.ok) return logo;
    const design = toDesign(item);
    const pictures = new Map<FileFormat, Rendered>();
    for (const format of drawn) {
      const laid = layOutFile(text, design, termsOf(format, asked));
      if (!laid.ok) return refused(`${laid.fault.field}: ${laid.fault.message}`);
      const picture = await draw({ text, ...laid.value, found: logo.value, format });
      if (!picture.ok) return picture;
      pictures.set(format, picture.value);
    }
    return ok(pictures);
  };

  return {
    /**
     * Returns why the files of an item cannot be made, as far as that is known before it is paid for; else `null`.
     * Deterministic for the same item.
     */
    faultOf: (json: string): string | null => (drawing === null ? null : sizeFault(itemOf(json), asked)),

    /**
     * Makes and saves the files of a row that the gateway has made of `json`. Returns why they cannot be made.
     *
     * @throws {CliFault} when the answer is not a picture, or nothing can be drawn at the moment.
     */
    make: (
      { name, content }: Row,
      json: string,
      { data, ...answer }: ItemResult & { readonly data: string },
    ): Promise<Result<MadeFiles, string>> =>
      inTurn(async () => {
        const png = pngOf(data);
        if (drawing === null) {
          const { grade, warnings } = answer;
          const files = await saveAll(name, new Map(), png);
          return ok({ files, ...(grade === null ? {} : { grade }), warnings });
        }
        const link = answer.slug === undefined ? {} : { shortUrl: await shortUrlOf(answer.slug, png) };
        const item = withChanges(itemOf(json), parseChanges(answer.repaired ?? ''));
        const pictures = await drawAll(drawing, link.shortUrl ?? content, item);
        if (!pictures.ok)
          return refused(`made and paid for, but its files cannot be drawn here: ${pictures.fault}`);
        const [first] = pictures.value.values();
        const files = await saveAll(name, pictures.value, png);
        return ok({ files, grade: first!.grade, warnings: first!.warnings, ...link });
      }),

    close: async (): Promise<void> => drawing?.close(),
  };
};
