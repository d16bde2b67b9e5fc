/** Validates a piece: every row is checked and planned, and the piece is divided into pieces of about a second of work. */
import type { Design, Fault } from '../../../workers/protocol.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import { type Checked, type CheckedPiece, type Piece, saveChecked } from '../../db/tables/batches/pieces.ts';
import type { PictureOptions } from '../../generate/request/picture-options.ts';
import { planPicture } from '../../generate/task.ts';
import { ok, type Result } from '../../result.ts';
import { createRowReader, type Row } from '../rows/row.ts';
import { inputKey, readStored, type StoredRow } from '../rows/stored.ts';
import type { WorkParts } from './parts.ts';
import { inTurns } from './turns.ts';

const PIECE_MS = 1000;
/** Every slug has as many characters, so all short links need the same symbol. */
const ANY_SLUG = '00000000';

/** Makes a function that estimates the time of a picture. The short links of one design are planned once. */
const createEstimator = (shortUrl: (slug: string) => string) => {
  const ofLinks = new WeakMap<Design, Result<number, Fault>>();
  const plan = (text: string, design: Design): Result<number, Fault> => {
    const planned = planPicture(text, design, null);
    return planned.ok ? ok(planned.value.estimatedMs) : planned;
  };
  return ({ design, destination, content }: Row): Result<number, Fault> => {
    if (destination === null) return plan(content, design);
    const known = ofLinks.get(design) ?? plan(shortUrl(ANY_SLUG), design);
    ofLinks.set(design, known);
    return known;
  };
};

/** Joins rows to pieces while they stay below the bound of time. */
const createCutter = () => {
  const pieces: CheckedPiece[] = [];
  let open: CheckedPiece | null = null;
  return {
    add(row: number, { start, end }: StoredRow, estimatedMs: number): void {
      if (open !== null && open.estimatedMs + estimatedMs <= PIECE_MS) {
        open = { ...open, rows: open.rows + 1, endByte: end, estimatedMs: open.estimatedMs + estimatedMs };
        return;
      }
      if (open !== null) pieces.push(open);
      open = { firstRow: row, rows: 1, startByte: start, endByte: end, estimatedMs };
    },
    all: (): readonly CheckedPiece[] => (open === null ? pieces : [...pieces, open]),
  };
};

/** Checks all rows of a piece. */
const check = async ({ store, rows, links }: WorkParts, piece: Piece): Promise<Checked> => {
  const { batchId, input, firstRow, startByte, endByte, formats, format } = piece;
  const stored = await readStored(store, inputKey(batchId, input), { start: startByte, end: endByte });
  if (stored.length !== piece.rows) throw new Error('stored rows are not those that were received');
  const read = createRowReader({ ...rows, links }, { format, design: piece.design as PictureOptions });
  const estimate = createEstimator(links.shortUrl);
  const cutter = createCutter();
  const errors: RowError[] = [];
  let row = firstRow;
  await inTurns(stored, (line) => {
    const found = read(line.text, row);
    const planned = found.ok ? estimate(found.value) : found;
    if (planned.ok) cutter.add(row, line, planned.value * formats.length);
    else {
      const rowId = found.ok ? found.value.id : found.fault.rowId;
      errors.push({ row, rowId, field: planned.fault.field, message: planned.fault.message });
    }
    row += 1;
  });
  return { pieces: errors.length > 0 ? [] : cutter.all(), errors };
};

/** Validates a piece and saves the result. */
export const validatePiece = async (parts: WorkParts, piece: Piece): Promise<void> =>
  saveChecked(parts.sql, piece, await check(parts, piece));
