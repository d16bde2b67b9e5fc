import { useState } from 'preact/hooks';
import { useSession } from '../../../session.ts';
import { Primary, Quiet } from '../../../ui/buttons.tsx';
import { count, formatNumber } from '../../../ui/format.ts';
import { FolderInput } from '../../../ui/forms/field.tsx';
import { Head } from '../../../ui/lists/paged-table.tsx';
import { costOf, sessionObstacle, unitsObstacle } from '../../batches/send/obstacle.ts';
import { PresetChoice, usePresets } from '../../batches/send/preset-choice.tsx';
import type { Wanted } from '../run/send.ts';
import type { CheckedRow, Column, Row } from '../table/rows.ts';
import { FaultyRows } from './faulty-rows.tsx';

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
