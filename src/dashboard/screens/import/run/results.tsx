import { useState } from 'preact/hooks';
import { BASE, screen } from '../../../base.ts';
import { count, number } from '../../../ui/format.ts';
import { FaultyRows } from '../check/faulty-rows.tsx';
import type { Column } from '../table/columns.ts';
import type { CheckedRow, Row } from '../table/rows.ts';
import { outcomesOf } from './calls.ts';
import { Pictures } from './pictures.tsx';
import type { Wanted } from './send.ts';
import type { Run } from './use-run.ts';

const FolderLinks = ({ id }: { readonly id: string }) => (
  <>
    <a class="button primary" href={`${BASE}api/v1/folders/${id}/archive`} download>
      Download ZIP
    </a>
    <a class="button" href={screen(`/folders/${id}`)}>
      Open folder
    </a>
  </>
);

/** Shows the codes that were made, and the rows that were not, each with its error and a way to correct it. */
export const Results = ({
  run: { calls, folderName, presetId },
  columns,
  check,
  onRetry,
  onBack,
}: {
  readonly run: Run;
  readonly columns: readonly Column[];
  readonly check: (row: Row) => CheckedRow;
  readonly onRetry: (rows: readonly CheckedRow[], wanted: Wanted) => void;
  readonly onBack: () => void;
}) => {
  const outcomes = outcomesOf(calls);
  const made = outcomes.filter(({ error }) => error === null);
  const [failed, setFailed] = useState(() =>
    outcomes.flatMap(({ row, error }) => (error === null ? [] : [{ row, fault: error }])),
  );
  const poor = made.filter(({ grade }) => grade !== null && grade < 4);
  const folderId = calls.find(({ answer }) => answer !== null)?.answer?.meta.folder_id;
  const edit = (rowNumber: number, cells: readonly string[]) =>
    setFailed((entries) =>
      entries.map((entry) => {
        if (entry.row.number !== rowNumber) return entry;
        const row = check({ number: rowNumber, cells });
        return { row, fault: row.fault ?? 'Changed. Try it again.' };
      }),
    );
  const ready = failed.map(({ row }) => row).filter(({ fault }) => fault === null);
  return (
    <>
      <section class="card import-results" aria-labelledby="results-title">
        <h2 id="results-title">{count(made.length, 'code')} made</h2>
        <p role="status">
          Saved in the folder “{folderName}”.{' '}
          {failed.length > 0 && `${number(failed.length)} failed and cost nothing.`}
        </p>
        {poor.length > 0 && (
          <p>
            {number(poor.length)} of them are below grade 4, so some readers may miss them. The manifest in
            the ZIP says why.
          </p>
        )}
        <div class="row">
          {folderId !== undefined && <FolderLinks id={folderId} />}
          <button type="button" class="quiet" onClick={onBack}>
            Start another import
          </button>
        </div>
      </section>
      {failed.length > 0 && (
        <section class="card" aria-labelledby="failed-title">
          <h2 id="failed-title">Not made</h2>
          <FaultyRows rows={failed} columns={columns} onCells={edit} />
          <button
            type="button"
            class="primary"
            disabled={ready.length === 0}
            onClick={() => onRetry(ready, { folderName, presetId })}
          >
            Try {count(ready.length, 'row')} again
          </button>
        </section>
      )}
      {made.length > 0 && <Pictures outcomes={made} />}
    </>
  );
};
