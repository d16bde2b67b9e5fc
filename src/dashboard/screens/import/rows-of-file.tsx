import { useEffect, useMemo, useState } from 'preact/hooks';
import { Check } from './check/check.tsx';
import { Progress } from './run/progress.tsx';
import { Results } from './run/results.tsx';
import { isDone, useRun } from './run/use-run.ts';
import { createRowCheck } from './table/rows.ts';
import type { Table } from './table/table.ts';
import type { Rules } from './use-rules.ts';

/** Makes the browser ask before somebody leaves the page while it is busy. */
const useWarning = (busy: boolean): void =>
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);

const withCells = ({ columns, rows }: Table, number: number, cells: readonly string[]): Table => ({
  columns,
  rows: rows.map((row) => (row.number === number ? { number, cells } : row)),
});

/** Leads from the rows of a file to finished codes: check, progress, results. */
export const RowsOfFile = ({
  read,
  rules: { schema, formats },
  left,
  onPaid,
  onColumns,
  onBack,
}: {
  /** The rows as they were read. */
  readonly read: Table;
  readonly rules: Rules;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  /** Called when the import has used units. */
  readonly onPaid: () => void;
  readonly onColumns: () => void;
  readonly onBack: () => void;
}) => {
  const [table, setTable] = useState(read);
  const { columns } = table;
  const { run, start, resume } = useRun();
  const check = useMemo(() => createRowCheck(columns, schema, formats), [columns, schema, formats]);
  const rows = useMemo(() => table.rows.map(check), [table, check]);

  const busy = run?.busy ?? false;
  useWarning(busy);
  useEffect(() => {
    if (run !== null && !busy) onPaid();
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
