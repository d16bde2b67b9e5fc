import { useState } from 'preact/hooks';
import type { Column } from '../table/columns.ts';
import type { Row } from '../table/rows.ts';
import { RowEditor } from './row-editor.tsx';

const STEP = 20;

/** Shows rows that would fail, each with its error and with inputs to correct it. */
export const FaultyRows = ({
  rows,
  columns,
  onCells,
}: {
  readonly rows: readonly { readonly row: Row; readonly fault: string }[];
  readonly columns: readonly Column[];
  readonly onCells: (number: number, cells: readonly string[]) => void;
}) => {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul class="faulty-rows">
        {rows.slice(0, shown).map(({ row, fault }) => (
          <RowEditor
            key={row.number}
            row={row}
            columns={columns}
            fault={fault}
            onCells={(cells) => onCells(row.number, cells)}
          />
        ))}
      </ul>
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, rows.length - shown)} more of {rows.length}
        </button>
      )}
    </>
  );
};
