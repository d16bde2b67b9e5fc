import { useState } from 'preact/hooks';
import { useSession } from '../../../session.ts';
import { count, number } from '../../../ui/format.ts';
import { FolderField } from '../../../ui/forms/folder-field.tsx';
import { costOf, sessionObstacle, unitsObstacle } from '../../batches/send/obstacle.ts';
import { PresetChoice, usePresets } from '../../batches/send/preset-choice.tsx';
import type { Wanted } from '../run/send.ts';
import type { Column } from '../table/columns.ts';
import type { CheckedRow } from '../table/rows.ts';
import { FaultyRows } from './faulty-rows.tsx';
import { Sample } from './sample.tsx';

const makeLabel = (good: number, faulty: number): string =>
  faulty === 0
    ? `Make ${count(good, 'code')}`
    : `Leave out ${count(faulty, 'faulty row')}, make ${number(good)}`;

/** Shows, before anything is charged, which rows are wrong, what the others cost, and where they will be saved. */
export const Check = ({
  rows,
  columns,
  left,
  onCells,
  onMake,
  onBack,
}: {
  readonly rows: readonly CheckedRow[];
  readonly columns: readonly Column[];
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  readonly onCells: (number: number, cells: readonly string[]) => void;
  readonly onMake: (rows: readonly CheckedRow[], wanted: Wanted) => void;
  readonly onBack: () => void;
}) => {
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
          <span class="chip good">{number(good.length)} can be made</span>{' '}
          {faulty.length > 0 && <span class="chip bad">{number(faulty.length)} with errors</span>}
        </p>
        <FolderField id="import-folder" name={folderName} onName={setFolderName} />
        <PresetChoice {...presets} />
        <p class="muted">{hindered ?? costOf(good.length, left)}</p>
        <div class="row">
          <button
            type="button"
            class="primary"
            disabled={hindered !== null || folderName.trim() === ''}
            onClick={() => onMake(good, { folderName: folderName.trim(), presetId: presets.chosen })}
          >
            {makeLabel(good.length, faulty.length)}
          </button>
          <button type="button" class="quiet" onClick={onBack}>
            Choose another file
          </button>
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
