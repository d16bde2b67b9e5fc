/** Folders as sheets of labels, made while they are sent. */
import { Readable } from 'node:stream';
import type { Fault, Logo } from '../../workers/protocol.ts';
import { createNamer } from '../archive/names.ts';
import { AppError } from '../errors.ts';
import { createTimeSlices } from '../execution/time-limits.ts';
import { planPicture } from '../generate/plan.ts';
import type { Graded } from '../generate/quality/graded.ts';
import type { DrawnFrom, Redraw } from '../generate/redraw.ts';
import { gs1ValuesOf } from '../gs1/check.ts';
import type { FreeWork } from '../limits/free-work.ts';
import { pluralise } from '../texts.ts';
import {
  type CheckedCode,
  checkLabels,
  findSavedTillFault,
  findTillFault,
  type LabelReport,
} from './check-labels.ts';
import { moduleMm } from './label.ts';
import { makeSheets, type SheetCode } from './maker.ts';
import type { Sheet } from './sheet.ts';

/** A saved code on its way to a label. */
export interface LabelledCode extends DrawnFrom {
  readonly grade: Graded['grade'] | null;
  readonly warnings: string;
  readonly id: string;
  readonly name: string | null;
  readonly externalId: string | null;
  /** When it was given another design than it was made with; `null`: never. */
  readonly redesignedAt: Date | null;
}

/** What making sheets needs. */
export interface FolderSheetsParts {
  readonly redraw: Pick<Redraw, 'sketch'>;
  readonly freeWork: Pick<FreeWork, 'pace' | 'spend'>;
  /** Returns the logo that was saved with one of the account's codes; `null`: there is none with this SHA-256. */
  findLogo(accountId: string, sha256: string): Promise<Logo | null>;
}

/** The contents of a document. */
export interface FolderSheetsSource {
  readonly accountId: string;
  /** The name of the folder. */
  readonly title: string;
  readonly sheet: Sheet;
  /** Returns the codes of the folder from the first one on. */
  readonly codes: () => AsyncIterable<LabelledCode>;
  /** The first and the last code that get labels, which are those of the whole folder; absent: all. */
  readonly range?: CodeRange;
}

/** Codes by their index in a folder, counted from 1. */
interface CodeRange {
  readonly from: number;
  readonly to: number;
}

const ALL: CodeRange = { from: 1, to: Number.POSITIVE_INFINITY };

/** What is told of the labels of a document. */
type Told = Pick<LabelReport, 'lost' | 'missing' | 'warnings'>;

/** A document, and what its labels lose. */
export interface FolderDocument extends Told {
  readonly file: Readable;
  /** The indexes of the codes that were given another design. */
  readonly edited: readonly number[];
}

/** What a label of a PDF costs a core, measured by `npm run bench:parts -- sheets`. */
const LABEL_MS = 0.5;

/** What the caption of a code may name. */
const valuesOf = (code: LabelledCode, index: number, fileName: string): SheetCode['values'] => {
  const { id, content, name, externalId, slug } = code;
  return {
    content,
    file: `${fileName}.png`,
    index: String(index),
    ...gs1ValuesOf(content),
    name: name ?? '',
    external_id: externalId ?? '',
    id: externalId ?? id,
    slug: slug ?? '',
  };
};

/** Makes documents. Each that is looked at or read occupies a thread. */
export const createFolderSheets = ({ redraw, freeWork, findLogo }: FolderSheetsParts) => {
  const loadLogo = async (accountId: string, sha256: string): Promise<Logo> => {
    const logo = await findLogo(accountId, sha256);
    if (logo === null) throw new Error('the logo of a saved code is gone');
    return logo;
  };

  async function* labelled(
    { accountId, codes, range: { from, to } = ALL }: FolderSheetsSource,
    onEdited: (index: number) => void = () => {},
  ): AsyncGenerator<CheckedCode, void> {
    const nameOf = createNamer();
    let index = 0;
    for await (const code of codes()) {
      index += 1;
      const fileName = nameOf(code);
      if (index < from) continue;
      if (index > to) return;
      if (code.redesignedAt !== null) onEdited(index);
      const known = { known: `code ${code.id} (${index})`, values: valuesOf(code, index, fileName) };
      const sketch = redraw.sketch(code, 'svg');
      if (!sketch.ok) {
        const { field, message } = sketch.fault;
        yield { ...known, picture: null, fault: `${field}: ${message}` };
        continue;
      }
      const { text, design, logoSha256: key } = sketch.value;
      const logo = key === null ? null : { key, load: () => loadLogo(accountId, key) };
      yield { ...known, picture: { text, design, logo }, fault: null };
    }
  }

  const tillFaultOf = (sheet: Sheet, code: LabelledCode): Fault | null => {
    const sketch = redraw.sketch(code, 'svg');
    // `checkAll` judges those that cannot be drawn.
    if (!sketch.ok || code.grade === null) return null;
    const { grade, warnings } = code;
    return (
      findTillFault(sheet, sketch.value.text, sketch.value.design) ??
      findSavedTillFault(sheet, { grade, warnings })
    );
  };

  /** @throws {AppError} 400 when the sheet is for tills, which may not read the first of the codes that is named. */
  const requireTill = async ({ accountId, sheet, codes, range = ALL }: FolderSheetsSource): Promise<void> => {
    if (!sheet.isForTill) return;
    let index = 0;
    const slices = createTimeSlices();
    let startedMs = performance.now();
    let isOver = slices.slice();
    for await (const code of codes()) {
      index += 1;
      if (index > range.to) return;
      const fault = index < range.from ? null : tillFaultOf(sheet, code);
      if (fault !== null)
        throw new AppError('invalid_body', `${fault.field}: ${fault.message} (code ${code.id})`);
      if (!isOver()) continue;
      freeWork.spend(accountId, performance.now() - startedMs);
      await freeWork.pace(accountId);
      await slices.next();
      startedMs = performance.now();
      isOver = slices.slice();
    }
  };

  /** @throws {AppError} 400 when labels lose what the caller does not allow. */
  const checkAll = async (source: FolderSheetsSource): Promise<Omit<FolderDocument, 'file'>> => {
    const { accountId, sheet, range: { from } = ALL } = source;
    const edited: number[] = [];
    const labels = labelled(source, (index) => edited.push(index));
    const { refused, faults, ...report } = await checkLabels(sheet, labels, (workedMs) => {
      freeWork.spend(accountId, workedMs);
      return freeWork.pace(accountId);
    });
    const missing = report.missing.map((place) => place + from - 1);
    if (faults.length === 0) return { ...report, missing, edited };
    const counts = [
      ...(refused.captions === 0 ? [] : [pluralise(refused.captions, 'caption')]),
      ...(refused.codes === 0 ? [] : [pluralise(refused.codes, 'code')]),
    ];
    const [{ field, message }] = faults as [(typeof faults)[number]];
    const remedy = 'make room, change the caption or the codes, or send allow';
    throw new AppError(
      'invalid_body',
      `${field}: ${counts.join(' and ')} cannot be printed: ${message}; ${remedy}`,
      { faults },
    );
  };

  return {
    /**
     * Looks at all labels, and returns a document with a label for each code. It is made as fast as it is read, in a
     * thread of the lowest priority and at the pace of free work. When the reader destroys it, nothing more is drawn. An
     * error of the stream means that the rest could not be made, or that more codes than before cannot be drawn.
     *
     * @throws {AppError} 400 when labels cannot be printed, or tills may not read a code.
     */
    async open(source: FolderSheetsSource): Promise<FolderDocument> {
      const { accountId, sheet, title } = source;
      await requireTill(source);
      const report = await checkAll(source);
      let left = report.lost.codes * sheet.copies;
      const bytes = makeSheets({
        sheet,
        title,
        codes: labelled(source),
        beforePage: () => freeWork.pace(accountId),
        onPage: (labels, workedMs) =>
          freeWork.spend(accountId, sheet.format === 'pdf' ? labels * LABEL_MS : workedMs),
        onFault: (place) => {
          left -= 1;
          if (left < 0) throw new Error(`the code of label ${place + 1} was changed and cannot be drawn`);
        },
      });
      return { file: Readable.from(bytes, { objectMode: false }), ...report };
    },

    /** Returns the smallest module that these codes have on the sheet, in mm; `null` when none of them can be drawn. */
    smallestModuleMm(sheet: Sheet, codes: readonly LabelledCode[]): number | null {
      const sizes = codes.flatMap((code) => {
        const sketch = redraw.sketch(code, 'svg');
        const plan = sketch.ok ? planPicture(sketch.value.text, sketch.value.design, null) : sketch;
        return plan.ok ? [moduleMm(sheet, plan.value.symbol.moduleCount, code.design)] : [];
      });
      return sizes.length === 0 ? null : Math.min(...sizes);
    },
  };
};

/** Makes documents of folders; see `createFolderSheets`. */
export type FolderSheets = ReturnType<typeof createFolderSheets>;
