import { useEffect, useMemo, useState } from 'preact/hooks';
import { Check } from './check/check.tsx';
import { Progress } from './run/progress.tsx';
import { Results } from './run/results.tsx';
import { isDone, useRun } from './run/use-run.ts';
import { Source } from './source.tsx';
import { readCsv, type Table } from './table/read-csv.ts';
import { createRowCheck } from './table/rows.ts';
import type { Rules } from './use-rules.ts';

/** Leads from a file to finished codes: source, check, progress, results. */
export const Importer = ({
  rules: { schema, known, formats },
  left,
  onPaid,
}: {
  readonly rules: Rules;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  /** Called when the import has used units. */
  readonly onPaid: () => void;
}) => {
  const [table, setTable] = useState<Table | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { run, start, resume, reset } = useRun();
  const columns = table?.columns ?? [];
  const check = useMemo(() => createRowCheck(columns, schema, formats), [columns, schema, formats]);
  const rows = useMemo(() => table?.rows.map(check) ?? [], [table, check]);

  const busy = run?.busy ?? false;
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);
  useEffect(() => {
    if (run !== null && !busy) onPaid();
  }, [busy]);

  const take = (text: string) => {
    const read = readCsv(text, known);
    setFault(read.ok ? null : read.fault);
    setTable(read.ok ? read.value : null);
  };
  const again = () => {
    reset();
    setTable(null);
  };

  if (table === null)
    return <Source columns={[...known.map(({ name }) => name), 'file']} fault={fault} onText={take} />;
  if (run === null)
    return (
      <Check
        rows={rows}
        columns={columns}
        left={left}
        onCells={(number, cells) =>
          setTable({
            columns,
            rows: table.rows.map((row) => (row.number === number ? { number, cells } : row)),
          })
        }
        onMake={start}
        onBack={again}
      />
    );
  if (run.busy || !run.batches.every(isDone)) return <Progress run={run} onResume={resume} />;
  return (
    <Results
      key={run.batches[0]?.idempotencyKey}
      run={run}
      columns={columns}
      check={check}
      onRetry={start}
      onBack={again}
    />
  );
};
