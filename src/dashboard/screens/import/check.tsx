import { useState } from 'preact/hooks';
import { Button, Primary, Quiet } from '../../ui/buttons.tsx';
import { FolderInput, useFollowing } from '../../ui/fields.tsx';
import { count, formatNumber } from '../../ui/format.ts';
import { useSession } from '../../ui/hooks.ts';
import { Head } from '../../ui/lists.tsx';
import { PresetChoice, usePresets } from '../batches/send/settings.tsx';
import { costOf, sessionObstacle, unitsObstacle } from '../batches/words.ts';
import type { CheckedRow, Column, Row } from './rows.ts';
import type { Wanted } from './run.ts';

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
  const [text, setText] = useFollowing(value);
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

const makeLabel = (good: number, faulty: number): string =>
  faulty === 0
    ? `Make ${count(good, 'code')}`
    : `Leave out ${count(faulty, 'faulty row')}, make ${formatNumber(good)}`;

const SAMPLES = 5;

interface SampleProps {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
}

/** Shows the first correct rows, so that a person sees whether the columns are right. */
const Sample = ({ rows, columns }: SampleProps) => (
  <section class="card" aria-labelledby="sample-title">
    <h2 id="sample-title">The first rows</h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section class="scroll" tabIndex={0} aria-label="First rows">
      <table class="table plain">
        <Head columns={['Row', ...columns.map(({ name }) => name)]} />
        <tbody>
          {rows.slice(0, SAMPLES).map(({ number, cells }) => (
            <tr key={number}>
              <td>{number}</td>
              {columns.map(({ name }, index) => (
                <td key={name}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </section>
);

interface CheckProps {
  readonly rows: readonly CheckedRow[];
  readonly columns: readonly Column[];
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  readonly onCells: (number: number, cells: readonly string[]) => void;
  readonly onMake: (rows: readonly CheckedRow[], wanted: Wanted) => void;
  readonly onColumns: () => void;
  readonly onBack: () => void;
}

/** Shows, before anything is charged, which rows are wrong, what the others cost, and where they will be saved. */
export const Check = ({ rows, columns, left, onCells, onMake, onColumns, onBack }: CheckProps) => {
  const session = useSession();
  const [folderName, setFolderName] = useState(`Import ${new Date().toISOString().slice(0, 10)}`);
  const presets = usePresets();
  const good = rows.filter(({ fault }) => fault === null);
  const faulty = rows.flatMap((row) => (row.fault === null ? [] : [{ row, fault: row.fault }]));
  const hindered =
    sessionObstacle(session) ??
    (good.length === 0 ? 'No row can be made yet. Correct at least one.' : unitsObstacle(good.length, left));
  return (
    <>
      <section class="card import-summary" aria-labelledby="check-title">
        <h2 id="check-title">{count(rows.length, 'row')}</h2>
        <p role="status">
          <span class="chip good">{formatNumber(good.length)} can be made</span>{' '}
          {faulty.length > 0 && <span class="chip bad">{formatNumber(faulty.length)} with errors</span>}
        </p>
        <FolderInput value={folderName} onText={setFolderName} />
        <PresetChoice {...presets} />
        <p class="muted">{hindered ?? costOf(good.length, left)}</p>
        <div class="row">
          <Primary
            disabled={hindered !== null || folderName.trim() === ''}
            onClick={() => onMake(good, { folderName: folderName.trim(), presetId: presets.chosen })}
          >
            {makeLabel(good.length, faulty.length)}
          </Primary>
          <Quiet onClick={onColumns}>Change the columns</Quiet>
          <Quiet onClick={onBack}>Choose another file</Quiet>
        </div>
      </section>
      {faulty.length > 0 && (
        <section class="card" aria-labelledby="faulty-title">
          <h2 id="faulty-title">Correct these rows, or leave them out</h2>
          <FaultyRows rows={faulty} columns={columns} onCells={onCells} />
        </section>
      )}
      {good.length > 0 && <Sample rows={good} columns={columns} />}
    </>
  );
};
