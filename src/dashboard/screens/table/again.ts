/** Opens the table of this browser: the one that is not sent yet, or that of a batch whose rows are sent again. */
import { api, ask } from '../../api/client.ts';
import type { Batch } from '../../api/shapes.ts';
import { readFaults } from '../batches/row-faults.tsx';
import type { FaultyRow, TableDraft } from './draft.ts';
import { loadTable, UNSENT } from './kept.ts';

/** A batch whose rows are sent again, and what it has found wrong with them. */
export interface Again {
  readonly batch: Batch;
  readonly found: readonly FaultyRow[];
}

/** What a person begins with. */
export interface Opened {
  /** Under which the table is kept. */
  readonly name: string;
  readonly draft: TableDraft | null;
  /** `null`: a new table. */
  readonly again: Again | null;
}

/** About as many as a batch lists. */
const FAULTS_MAX = 20_000;

/**
 * Returns the draft of a table with what its batch has found. Of a batch that has made some rows, all others are left out.
 * `null`: that cannot be done, since not all of the rows are here.
 */
export const sentAgain = (draft: TableDraft, { batch, found }: Again): TableDraft | null => {
  const settings = { ...draft.settings, folderName: batch.folder_name ?? draft.settings.folderName };
  if (batch.made === 0) return { ...draft, settings, found };
  if (!draft.isHeld || draft.read === null) return null;
  const failed = new Set(found.map(({ file_row }) => file_row));
  const leftOut = draft.read.file_rows.filter((row) => !failed.has(row));
  return { ...draft, settings, found, leftOut, changes: draft.changes + 1 };
};

/** Reads what is kept. @param batchId `null`: a new table. @throws {Fault} */
export const openTable = async (
  accountId: string,
  batchId: string | null,
  signal: AbortSignal,
): Promise<Opened> => {
  if (batchId === null) return { name: UNSENT, draft: await loadTable(accountId, UNSENT), again: null };
  const batch = await ask(api.GET('/api/v1/batches/{id}', { params: { path: { id: batchId } }, signal }));
  const faults = await readFaults(`api/v1/batches/${batchId}/errors`, FAULTS_MAX, signal);
  const found = faults.flatMap(({ file_row, field, message }) =>
    file_row === null ? [] : [{ file_row, faults: [{ field, message }] }],
  );
  const again = { batch, found };
  const kept = await loadTable(accountId, batchId);
  // A person may have begun to correct it before.
  const isBegun = kept !== null && kept.found.length > 0;
  return { name: batchId, again, draft: kept === null || isBegun ? kept : sentAgain(kept, again) };
};
