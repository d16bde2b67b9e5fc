import type { Column } from '../table/columns.ts';
import type { Row } from '../table/rows.ts';
import { CellInput } from './cell-input.tsx';

/** Shows a row with its error and an input for each cell. */
export const RowEditor = ({
  row: { number, cells },
  columns,
  fault,
  onCells,
}: {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly fault: string;
  readonly onCells: (cells: readonly string[]) => void;
}) => {
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
