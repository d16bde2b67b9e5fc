import { useEffect, useMemo, useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import { useLeaveWarning } from '../../ui/browser.ts';
import { Check } from './check.tsx';
import { Progress, Results } from './results.tsx';
import { createRowCheck, type Table } from './rows.ts';
import type { Rules } from './rules.ts';
import { isDone, useRun } from './run.ts';

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
