import { useEffect, useMemo, useState } from 'preact/hooks';
import { columnsOf, type FieldColumn } from '../../../csv/columns.ts';
import { BASE, toScreenPath } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { Button, ButtonLink, Primary, PrimaryLink, Quiet } from '../../ui/buttons.tsx';
import { count, formatNumber } from '../../ui/format.ts';
import { useLeaveWarning } from '../../ui/kept/leaving.tsx';
import { Failure } from '../../ui/states.tsx';
import { type Outcome, outcomesOf } from './calls.ts';
import { Check, FaultyRows } from './check.tsx';
import { type CheckedRow, type Column, createRowCheck, type Row, type Table } from './rows.ts';
import { isDone, type Run, useRun, type Wanted } from './run.ts';
import { type Formats, type Schema, withoutRefs } from './schema.ts';

/** What a row must look like, according to the OpenAPI document of the running service. */
export interface Rules {
  readonly schema: Schema;
  readonly known: readonly FieldColumn[];
  readonly formats: Formats;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const FORMATS: Formats = {
  'css-color': (text) => CSS.supports('color', text),
  'logo-source': (text) => /^data:image\/(png|jpeg|webp|svg\+xml);base64,|^https?:\/\//i.test(text),
};

/** Returns the rules of an OpenAPI document. */
export const rulesOf = ({ components: { schemas } }: Document): Rules => {
  const schema = withoutRefs(schemas.BulkItem ?? {}, schemas);
  return { schema, known: columnsOf(schema), formats: FORMATS };
};

interface ProgressProps {
  readonly run: Run;
  readonly onResume: () => void;
}

/** Shows how far an import is. When the import has stopped, it says why and offers to resume. */
const Progress = ({ run: { calls, busy, fault }, onResume }: ProgressProps) => {
  const all = calls.reduce((sum, { rows, refused }) => sum + rows.length + refused.length, 0);
  const outcomes = outcomesOf(calls);
  const made = outcomes.filter(({ error }) => error === null).length;
  return (
    <section class="card import-progress" aria-labelledby="progress-title">
      <h2 id="progress-title">{busy ? 'Making the codes' : 'Stopped'}</h2>
      <progress max={all} value={outcomes.length} aria-labelledby="progress-title" />
      <p role="status">
        {formatNumber(outcomes.length)} of {formatNumber(all)} done, {formatNumber(made)} made.
        {busy && ' Keep this page open.'}
      </p>
      {fault !== null && (
        <>
          <Failure fault={fault} retry={onResume} />
          <p class="muted">The codes made so far are saved. Try again: nothing is charged twice.</p>
        </>
      )}
    </section>
  );
};

const STEP = 24;

const nameOf = ({ row }: Outcome): string => row.file ?? `row-${row.number}`;

/** Shows the finished codes. Each can be downloaded under the file name of its row. */
const Pictures = ({ outcomes }: { readonly outcomes: readonly Outcome[] }) => {
  const [shown, setShown] = useState(STEP);
  return (
    <section class="card" aria-labelledby="pictures-title">
      <h2 id="pictures-title">Pictures</h2>
      <ul class="pictures">
        {outcomes.slice(0, shown).map((outcome) => (
          <li key={outcome.row.number}>
            <a href={outcome.picture ?? ''} download={`${nameOf(outcome)}.png`}>
              <img src={outcome.picture ?? ''} alt="" width={96} height={96} loading="lazy" />
              <span>{nameOf(outcome)}</span>
            </a>
            <span class="muted">{String(outcome.row.item.data)}</span>
            {outcome.grade !== null && outcome.grade < 4 && (
              <span class="muted">Grade {outcome.grade} of 4</span>
            )}
          </li>
        ))}
      </ul>
      {outcomes.length > shown && (
        <Button onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, outcomes.length - shown)} more of {formatNumber(outcomes.length)}
        </Button>
      )}
    </section>
  );
};

/** Shows the codes that were made, and the rows that were not, each with its error and a way to correct it. */
const Results = ({
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
          {failed.length > 0 && `${formatNumber(failed.length)} failed and cost nothing.`}
        </p>
        {poor.length > 0 && (
          <p>
            {formatNumber(poor.length)} of them are below grade 4, so some readers may miss them. The manifest
            in the ZIP says why.
          </p>
        )}
        <div class="row">
          {folderId !== undefined && (
            <>
              <PrimaryLink href={`${BASE}api/v1/folders/${folderId}/archive`} download>
                Download ZIP
              </PrimaryLink>
              <ButtonLink href={toScreenPath(`/folders/${folderId}`)}>Open folder</ButtonLink>
            </>
          )}
          <Quiet onClick={onBack}>Start another import</Quiet>
        </div>
      </section>
      {failed.length > 0 && (
        <section class="card" aria-labelledby="failed-title">
          <h2 id="failed-title">Not made</h2>
          <FaultyRows rows={failed} columns={columns} onCells={edit} />
          <Primary disabled={ready.length === 0} onClick={() => onRetry(ready, { folderName, presetId })}>
            Try {count(ready.length, 'row')} again
          </Primary>
        </section>
      )}
      {made.length > 0 && <Pictures outcomes={made} />}
    </>
  );
};

const withCells = ({ columns, rows }: Table, number: number, cells: readonly string[]): Table => ({
  columns,
  rows: rows.map((row) => (row.number === number ? { number, cells } : row)),
});

/** Leads from the rows of a file to finished codes: check, progress, results. */
export const RowsOfFile = ({
  read,
  rules: { schema, formats },
  left,
  onColumns,
  onBack,
}: {
  /** The rows as they were read. */
  readonly read: Table;
  readonly rules: Rules;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  readonly onColumns: () => void;
  readonly onBack: () => void;
}) => {
  const [table, setTable] = useState(read);
  const { columns } = table;
  const { run, start, resume } = useRun();
  const check = useMemo(() => createRowCheck(columns, schema, formats), [columns, schema, formats]);
  const rows = useMemo(() => table.rows.map(check), [table, check]);

  const busy = run?.busy ?? false;
  useLeaveWarning(busy);
  useEffect(() => {
    if (run !== null && !busy) refresh();
  }, [busy]);

  if (run === null)
    return (
      <Check
        rows={rows}
        columns={columns}
        left={left}
        onCells={(number, cells) => setTable(withCells(table, number, cells))}
        onMake={start}
        onColumns={onColumns}
        onBack={onBack}
      />
    );
  if (run.busy || !run.calls.every(isDone)) return <Progress run={run} onResume={resume} />;
  return (
    <Results
      key={run.calls[0]?.idempotencyKey}
      run={run}
      columns={columns}
      check={check}
      onRetry={start}
      onBack={onBack}
    />
  );
};
