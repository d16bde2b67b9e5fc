import { useState } from 'preact/hooks';
import { Button } from '../../../ui/buttons.tsx';
import { useDraft } from '../../../ui/forms/field.tsx';
import type { Column, Row } from '../table/rows.ts';

interface CellInputProps {
  readonly name: string;
  readonly value: string;
  /** Id of the element that says what is wrong with this cell; `null` when nothing is. */
  readonly faultId: string | null;
  readonly onValue: (value: string) => void;
}

/**
 * Takes a cell, and reports its value when the person leaves it. Otherwise the row of the cell would vanish from the
 * list as soon as it is right.
 */
const CellInput = ({ name, value, faultId, onValue }: CellInputProps) => {
  const [text, setText] = useDraft(value);
  return (
    <label>
      <span class="muted">{name}</span>
      <input
        type="text"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => onValue(event.currentTarget.value)}
        {...(faultId === null ? {} : { 'aria-invalid': true as const, 'aria-describedby': faultId })}
      />
    </label>
  );
};

interface RowEditorProps {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly fault: string;
  readonly onCells: (cells: readonly string[]) => void;
}

/** Shows a row with its error and an input for each cell. */
const RowEditor = ({ row: { number, cells }, columns, fault, onCells }: RowEditorProps) => {
  const culprit = /^([\w.]+?)(\.\d.*)?: /.exec(fault)?.[1];
  const id = `row-${number}`;
  return (
    <li class="faulty-row">
      <fieldset aria-describedby={`${id}-fault`}>
        <legend>Row {number}</legend>
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
        <div class="cells">
          {columns.map(({ name }, index) => (
            <CellInput
              key={name}
              name={name}
              value={cells[index] ?? ''}
              faultId={culprit === name ? `${id}-fault` : null}
              onValue={(value) =>
                onCells(columns.map((_, other) => (other === index ? value : (cells[other] ?? ''))))
              }
            />
          ))}
        </div>
      </fieldset>
    </li>
  );
};

const STEP = 20;

interface FaultyRowsProps {
  readonly rows: readonly { readonly row: Row; readonly fault: string }[];
  readonly columns: readonly Column[];
  readonly onCells: (number: number, cells: readonly string[]) => void;
}

/** Shows rows that would fail, each with its error and with inputs to correct it. */
export const FaultyRows = ({ rows, columns, onCells }: FaultyRowsProps) => {
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
        <Button onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, rows.length - shown)} more of {rows.length}
        </Button>
      )}
    </>
  );
};
