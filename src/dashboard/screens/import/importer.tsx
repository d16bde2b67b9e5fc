import { useState } from 'preact/hooks';
import { asFault } from '../../ui/use-load.ts';
import { guessOf, isClear, type Mapping } from '../batches/columns/mapping.ts';
import type { ChosenColumns } from '../batches/columns/use-columns.ts';
import { folderNameOf } from '../batches/send/folder-name.ts';
import { BatchForm } from '../batches/send/form.tsx';
import { type AsBatch, chooseWay, type Way } from './choose-way.ts';
import { ChooseColumns } from './columns-step.tsx';
import { RowsOfFile } from './rows-of-file.tsx';
import { Source } from './source.tsx';
import { type Table, toTable } from './table/table.ts';
import type { Rules } from './use-rules.ts';

/** A file that becomes a batch: why, and the form that sends it. */
const BatchOfFile = ({
  batch: { file, kind, why, chosen },
  left,
  onOther,
}: {
  readonly batch: Omit<AsBatch, 'as'> & { readonly chosen: ChosenColumns | null };
  readonly left: number | null;
  readonly onOther: () => void;
}) => (
  <>
    <p class="notice plain" role="status">
      <strong>{why}, so it becomes a batch.</strong> You can close the page once it is uploaded. If a row is
      wrong, the batch names it, and nothing is made or paid.
    </p>
    <BatchForm {...{ file, kind, chosen, left, onOther }} folderName={folderNameOf(file.name)} />
  </>
);

/** What is read of a file so far, and how far a person is with it. */
type Step =
  | { readonly at: 'source'; readonly fault: string | null; readonly busy: boolean }
  | { readonly at: 'columns'; readonly way: Extract<Way, { as: 'table' }>; readonly mapping: Mapping }
  | { readonly at: 'batch'; readonly batch: Parameters<typeof BatchOfFile>[0]['batch'] }
  | { readonly at: 'check'; readonly back: Extract<Step, { at: 'columns' }>; readonly table: Table };

const BEGIN: Step = { at: 'source', fault: null, busy: false };

const ofBatchesInWords = (names: readonly string[]): string =>
  `Only a batch keeps the column ${names.map((name) => `“${name}”`).join(' and ')}`;

/** Leads from a step with chosen columns to the rows, or to a batch. */
const afterColumns = (step: Extract<Step, { at: 'columns' }>, known: Rules['known']): Step => {
  const { file, kind, preview } = step.way;
  if (preview.rows.length === 0) return { ...BEGIN, fault: 'The file has no rows below its header row.' };
  const table = toTable(preview, step.mapping, known);
  if (table.ok) return { at: 'check', back: step, table: table.value };
  const chosen = { preview, mapping: step.mapping };
  return { at: 'batch', batch: { file, kind, why: ofBatchesInWords(table.fault), chosen } };
};

const stepOf = async (file: File, known: Rules['known']): Promise<Step> => {
  try {
    const way = await chooseWay(file);
    if (way.as === 'batch') return { at: 'batch', batch: { ...way, chosen: null } };
    const columns = { at: 'columns', way, mapping: guessOf(way.preview) } as const;
    return isClear(way.preview) ? afterColumns(columns, known) : columns;
  } catch (error) {
    const { status, details, message } = asFault(error);
    const isOfFile = status === 400 && details.startsWith('body: ');
    const fault = isOfFile ? `This file ${details.slice('body: '.length)}.` : details || message;
    return { ...BEGIN, fault };
  }
};

/** Leads from a file to finished codes: source, columns, rows. A long file becomes a batch instead. */
export const Importer = ({
  rules,
  left,
  onPaid,
}: {
  readonly rules: Rules;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  /** Called when the import has used units. */
  readonly onPaid: () => void;
}) => {
  const { known } = rules;
  const [step, setStep] = useState<Step>(BEGIN);
  const again = () => setStep(BEGIN);
  const take = async (file: File): Promise<void> => {
    setStep({ ...BEGIN, busy: true });
    setStep(await stepOf(file, known));
  };

  if (step.at === 'source')
    return (
      <Source
        {...step}
        columns={[...known.map(({ name }) => name), 'file']}
        onFile={(file) => void take(file)}
      />
    );
  if (step.at === 'batch') return <BatchOfFile batch={step.batch} left={left} onOther={again} />;
  if (step.at === 'columns')
    return (
      <ChooseColumns
        preview={step.way.preview}
        mapping={step.mapping}
        onMapping={(mapping) => setStep({ ...step, mapping })}
        onNext={() => setStep(afterColumns(step, known))}
        onOther={again}
      />
    );
  return (
    <RowsOfFile
      read={step.table}
      rules={rules}
      left={left}
      onPaid={onPaid}
      onColumns={() => setStep(step.back)}
      onBack={again}
    />
  );
};
