import { type CodeFile, filePath } from '../../../csv/file-columns.ts';
import { ok, type Result } from '../../../result.ts';
import { failed } from '../../fault.ts';
import type { Store } from '../store.ts';

/** A row that the gateway has made. */
export interface MadeRow {
  readonly row: number;
  /** Name of its files, without extension. */
  readonly name: string;
  readonly content: string;
  /** The item that was sent, as JSON. */
  readonly item: string;
}

/** What the gateway answered for a row. */
export interface RowAnswer {
  /** A PNG as a data URL. */
  readonly data: string;
  readonly slug?: string;
  readonly repaired?: string;
  /** `null`: the gateway does not say. */
  readonly grade: number | null;
  /** As `Tessera-Warnings` has them; '' without any. */
  readonly warnings: string;
}

/** The files of a row, on the disk. */
export interface MadeFiles {
  readonly files: readonly CodeFile[];
  readonly grade?: number;
  readonly warnings?: string;
  /** What a dynamic code says, when that is known. */
  readonly shortUrl?: string;
}

/** Makes the files of rows. */
export interface FileMaker {
  /**
   * Returns why the files of an item cannot be made, as far as that is known before it is paid for; else `null`. It
   * says the same of the same item each time.
   */
  faultOf(item: string): string | null;
  /**
   * Makes and saves the files of a row. Returns why they cannot be made.
   *
   * @throws {CliFault} when the answer is no picture, or nothing can be drawn at the moment.
   */
  make(row: MadeRow, answer: RowAnswer): Promise<Result<MadeFiles, string>>;
  close(): Promise<void>;
}

const PREFIX = 'data:image/png;base64,';

/** Returns the PNG of an answer. @throws {CliFault} when it is not a PNG data URL. */
export const pngOf = ({ data }: Pick<RowAnswer, 'data'>): Buffer => {
  if (!data.startsWith(PREFIX)) throw failed('the gateway answered with something other than a PNG');
  return Buffer.from(data.slice(PREFIX.length), 'base64');
};

/** Makes a maker that saves the pictures of the answers as they are. */
export const createAnsweredFiles = (store: Store): FileMaker => ({
  faultOf: () => null,
  async make({ name }, answer) {
    const { grade, warnings } = answer;
    const file = filePath(name, 'png', ['png']);
    const sha256 = await store.save(file, pngOf(answer));
    return ok({ files: [{ format: 'png', file, sha256 }], ...(grade === null ? {} : { grade }), warnings });
  },
  close: async () => {},
});
