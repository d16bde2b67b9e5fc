/**
 * Validates a piece: checks and plans every row, and splits the piece into pieces of about a second of work.
 */
import { estimateBarcodeMs } from '../../../workers/barcode/protocol.ts';
import type { FileFormat } from '../../../workers/lists.ts';
import { estimateFileMs } from '../../../workers/plan.ts';
import type { Design, Fault } from '../../../workers/protocol.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import { type Checked, type CheckedPiece, type Piece, saveChecked } from '../../db/tables/batches/pieces.ts';
import { eachInSlices } from '../../execution/time-limits.ts';
import { drawnFormat } from '../../generate/file.ts';
import { planPicture } from '../../generate/plan.ts';
import { REPAIR_MS } from '../../generate/quality/repair.ts';
import { findGs1Fault } from '../../generate/request/gs1.ts';
import { linksOn } from '../../generate/slugs.ts';
import { ok, type Result, refused } from '../../result.ts';
import { type RowBarcode, toRowTask } from '../rows/barcodes.ts';
import { findPieceOverflow, numbersOfPiece, trialNumbersOf } from '../rows/numbers.ts';
import { layOutRow } from '../rows/options.ts';
import { createRowSteps, type NumberOf, type Row } from '../rows/row.ts';
import { fileRowOf, fileRowsOf, inputKey, readStored, type StoredRow } from '../rows/stored.ts';
import { slugOfRow } from './draw.ts';
import { createKeyHashes } from './duplicates.ts';
import { findTakenIds, needsUniqueIds } from './external-ids.ts';
import type { WorkParts } from './parts.ts';

const PIECE_MS = 1000;
/** Approximate time to encode a WebP, in addition to drawing it. */
const WEBP_MS = { picture: 2, megapixel: 30 } as const;
/** All generated slugs have this length, so their short links need the same symbol. */
const ANY_SLUG = '00000000';

const webpMs = (format: FileFormat, megapixels: number): number =>
  format === 'webp' ? WEBP_MS.picture + WEBP_MS.megapixel * megapixels : 0;

/** Of a barcode, whose sides are known when it is drawn. */
const BARCODE_MEGAPIXELS = 0.5;

const estimateBarcode = (text: string, barcode: RowBarcode, format: FileFormat): Result<number, Fault> => {
  const task = toRowTask(barcode, text, format);
  return task.ok ? ok(estimateBarcodeMs(task.value) + webpMs(format, BARCODE_MEGAPIXELS)) : task;
};

/** Estimates the time that a file takes, or says why it cannot be made. Ignores the logo. */
const estimateFile = (text: string, row: Row, format: FileFormat): Result<number, Fault> => {
  if (row.barcode !== null) return estimateBarcode(text, row.barcode, format);
  const laid = layOutRow(text, row, format);
  if (!laid.ok) return laid;
  const { design, print } = laid.value;
  const plan = planPicture(text, design, null);
  if (!plan.ok) return plan;
  const drawnMs = estimateFileMs(drawnFormat(format), plan.value, row.image !== undefined, print);
  return ok(drawnMs + webpMs(format, (design.widthPx * design.heightPx) / 1e6));
};

/** Creates a function that estimates the time of a row's files. Short links with the same design are planned once. */
const createEstimator = ({ formats, secret, repair }: Piece, shortUrl: (slug: string) => string) => {
  const ofLinks = new WeakMap<Design, Result<number, Fault>>();
  const estimate = (text: string, row: Row): Result<number, Fault> => {
    let sumMs =
      repair && row.barcode === null ? REPAIR_MS[row.image === undefined ? 'plain' : 'withLogo'] : 0;
    for (const format of formats) {
      const estimated = estimateFile(text, row, format);
      if (!estimated.ok) return estimated;
      sumMs += estimated.value;
    }
    return ok(sumMs);
  };
  return (row: Row): Result<number, Fault> => {
    const { design, destination, content, ownSlug } = row;
    if (destination === null) return estimate(content, row);
    if (ownSlug?.ok) {
      const estimated = estimate(shortUrl(ownSlug.value.slug), row);
      // A chosen slug that does not fit the symbol fails its row later, without drawing it.
      if (estimated.ok) return estimated;
    }
    // The optimal segmentation differs from slug to slug.
    if (design.symbol.segments === 'optimal') return estimate(shortUrl(slugOfRow(secret, row.row, 0)), row);
    // A caption differs from row to row, and may not fit.
    if (row.print?.caption !== undefined) return estimate(shortUrl(ANY_SLUG), row);
    const known = ofLinks.get(design) ?? estimate(shortUrl(ANY_SLUG), row);
    ofLinks.set(design, known);
    return known;
  };
};

/** Groups rows into pieces that stay within the time limit. */
const createCutter = (piece: Piece) => {
  const pieces: { -readonly [field in keyof CheckedPiece]: CheckedPiece[field] }[] = [];
  return {
    add(row: number, { start, end }: StoredRow, estimatedMs: number): void {
      const open = pieces.at(-1);
      if (open === undefined || open.estimatedMs + estimatedMs > PIECE_MS) {
        pieces.push({ firstRow: row, rows: 1, startByte: start, endByte: end, fileRows: [], estimatedMs });
        return;
      }
      open.rows += 1;
      open.endByte = end;
      open.estimatedMs += estimatedMs;
    },
    end: (): readonly CheckedPiece[] =>
      pieces.map((cut) => ({ ...cut, fileRows: fileRowsOf(piece, cut.firstRow, cut.rows) })),
  };
};

const COUNTED_CHECK = {
  field: 'template',
  message:
    'has a counter in GS1 data that is valid with some numbers only: a counter may be a serial or a lot, but nothing with a check digit',
};

/** GS1 data must be valid with every number, not just one. Returns `null` when it is, or has no number. */
const findSiblingFault = (
  { isNumbered, barcode, design, content }: Row,
  readSibling: () => Result<Row, Fault>,
): Result<never, Fault> | null => {
  // The data of a barcode was checked when it was read.
  if (isNumbered && barcode !== null) return readSibling().ok ? null : refused(COUNTED_CHECK);
  if (!isNumbered || design.symbol.gs1 === undefined || findGs1Fault(content, design.symbol) !== null)
    return null;
  const sibling = readSibling();
  const fault = sibling.ok ? findGs1Fault(sibling.value.content, design.symbol) : sibling.fault;
  return fault === null ? null : refused(COUNTED_CHECK);
};

/** Checks all rows of a piece. */
const check = async ({ sql, store, rows, links }: WorkParts, piece: Piece): Promise<Checked> => {
  const { batchId, input, firstRow, startByte, endByte } = piece;
  const stored = await readStored(store, inputKey(batchId, input), { start: startByte, end: endByte });
  if (stored.length !== piece.rows) throw new Error('stored rows are not those that were received');
  const overflow = findPieceOverflow(piece);
  if (overflow !== null)
    return {
      pieces: [],
      errors: [
        {
          row: firstRow,
          fileRow: fileRowOf(piece, firstRow),
          externalId: null,
          field: 'template',
          message: overflow,
        },
      ],
      keys: {},
    };
  const { parseRow, toRow } = createRowSteps({ ...rows, links }, piece);
  const [longest, sibling] = trialNumbersOf(piece);
  // Rows are compared with the numbers that they would have now: any others differ in the same way.
  const own = numbersOfPiece(piece);
  const isNumbered = Object.keys(piece.counters).length > 0;
  const keys = createKeyHashes(piece.rows);
  const estimate = createEstimator(piece, linksOn(links, piece.domain).shortUrl);
  const cutter = createCutter(piece);
  const errors: RowError[] = [];
  const planned: { readonly found: Row; readonly compared: Row | null }[] = [];
  let row = firstRow;
  await eachInSlices(stored, (line) => {
    const parsed = parseRow(line.text);
    const withNumbers = (numberOf: NumberOf) => (parsed.ok ? toRow(parsed.value, row, numberOf) : parsed);
    const found = withNumbers(longest);
    const estimated = found.ok
      ? (findSiblingFault(found.value, () => withNumbers(sibling)) ?? estimate(found.value))
      : found;
    if (found.ok && estimated.ok) {
      cutter.add(row, line, estimated.value);
      const compared = isNumbered ? withNumbers(own) : found;
      planned.push({ found: found.value, compared: compared.ok ? compared.value : null });
    } else if (!estimated.ok) {
      const externalId = found.ok ? found.value.externalId : found.fault.externalId;
      const { field, message } = estimated.fault;
      errors.push({ row, fileRow: fileRowOf(piece, row), externalId, field, message });
    }
    row += 1;
  });
  const taken = needsUniqueIds(piece)
    ? await findTakenIds(
        sql,
        piece,
        planned.map(({ found }) => found),
      )
    : null;
  await eachInSlices(planned, ({ found, compared }) => {
    const fault = taken?.get(found.row);
    if (fault !== undefined) {
      const { row: named, externalId } = found;
      errors.push({ row: named, fileRow: fileRowOf(piece, named), externalId, ...fault });
    } else if (compared !== null) keys.add(found.row - firstRow, compared);
  });
  return { pieces: errors.length > 0 ? [] : cutter.end(), errors, keys: keys.hashes };
};

/** Validates a piece and saves the result. */
export const validatePiece = async (parts: WorkParts, piece: Piece): Promise<void> =>
  saveChecked(parts.sql, piece, await check(parts, piece));
