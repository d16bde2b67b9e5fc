import { useEffect, useMemo, useState } from 'preact/hooks';
import { refused } from '../../../result.ts';
import { asFault } from '../../ui/use-load.ts';
import { folderNameOf } from '../batches/send/folder-name.ts';
import { BatchForm } from '../batches/send/form.tsx';
import { Check } from './check/check.tsx';
import { chooseWay, type Way } from './choose-way.ts';
import { Progress } from './run/progress.tsx';
import { Results } from './run/results.tsx';
import { isDone, useRun } from './run/use-run.ts';
import { Source } from './source.tsx';
import type { Table } from './table/read-csv.ts';
import { createRowCheck } from './table/rows.ts';
import type { Rules } from './use-rules.ts';

/** A file that becomes a batch: why, and the form that sends it. */
const AsBatch = ({
  batch: { file, kind, why },
  left,
  onOther,
}: {
  readonly batch: Extract<Way, { as: 'batch' }>;
  readonly left: number | null;
  readonly onOther: () => void;
}) => (
  <>
    <p class="notice plain" role="status">
      <strong>{why}, so it becomes a batch.</strong> You can close the page once it is uploaded. If a row is
      wrong, the batch names it, and nothing is made or paid.
    </p>
    <BatchForm {...{ file, kind, left, onOther }} folderName={folderNameOf(file.name)} />
  </>
);

/** Leads from a file to finished codes: source, check, progress, results. A long file becomes a batch instead. */
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
  const [batch, setBatch] = useState<Extract<Way, { as: 'batch' }> | null>(null);
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

  const take = async (file: File): Promise<void> => {
    const way = await chooseWay(file, known).catch((error: unknown) => refused(asFault(error).message));
    setFault(way.ok ? null : way.fault);
    if (!way.ok) return;
    if (way.value.as === 'table') setTable(way.value.table);
    else setBatch(way.value);
  };
  const again = () => {
    reset();
    setTable(null);
    setBatch(null);
  };

  if (batch !== null) return <AsBatch batch={batch} left={left} onOther={again} />;
  if (table === null)
    return (
      <Source
        columns={[...known.map(({ name }) => name), 'file']}
        fault={fault}
        onFile={(file) => void take(file)}
      />
    );
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
  if (run.busy || !run.calls.every(isDone)) return <Progress run={run} onResume={resume} />;
  return (
    <Results
      key={run.calls[0]?.idempotencyKey}
      run={run}
      columns={columns}
      check={check}
      onRetry={start}
      onBack={again}
    />
  );
};
