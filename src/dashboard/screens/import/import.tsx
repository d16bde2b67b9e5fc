import { useState } from 'preact/hooks';
import { asFault, type Fault } from '../../api/client.ts';
import { useDocument, useGet } from '../../api/query.ts';
import type { BatchPreview } from '../../api/shapes.ts';
import { useSession } from '../../ui/hooks.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { type ChosenColumns, EncodingChoice, isOfEncoding, loadPreview } from '../batches/send/columns.tsx';
import { countRows, type FileKind, kindOf } from '../batches/send/file.ts';
import { BatchForm } from '../batches/send/form.tsx';
import { guessOf, isClear, type Mapping } from '../batches/send/mapping.ts';
import { folderNameOf } from '../batches/words.ts';
import { type Table, toTable } from './rows.ts';
import { RowsOfFile, type Rules, rulesOf } from './rows-of-file.tsx';
import { ChooseColumns, Source } from './source.tsx';

/** More rows than the page makes itself. */
const PAGE_MAX_ROWS = 1000;
/** Larger files are never read into the page. */
const PAGE_MAX_BYTES = 4 * 1024 * 1024;

/** A file that becomes a batch, and why. */
interface AsBatch {
  readonly as: 'batch';
  readonly file: File;
  readonly kind: FileKind;
  readonly why: string;
}

/** A file with all of its rows, or one that becomes a batch. */
type Way =
  | { readonly as: 'table'; readonly file: File; readonly kind: FileKind; readonly preview: BatchPreview }
  | AsBatch;

/** Files with no known extension are taken for CSV. */
const CSV: FileKind = { format: 'csv', gzip: false };
const TOO_MANY = 'The file has more than 1,000 rows';

const whyBatch = async (file: File, kind: FileKind): Promise<string | null> => {
  if (kind.gzip) return 'The file is compressed';
  if (kind.format === 'ndjson') return 'The file is NDJSON';
  if (file.size > PAGE_MAX_BYTES) return 'The file is large';
  if (kind.format === 'xlsx') return null;
  return (await countRows(file, kind, { max: PAGE_MAX_ROWS })) > PAGE_MAX_ROWS ? TOO_MANY : null;
};

/** Returns how a file is imported. @throws {Fault} When it cannot be read. */
const chooseWay = async (file: File, encoding: string | null): Promise<Way> => {
  const named = kindOf(file.name) ?? CSV;
  const kind = encoding === null ? named : { ...named, encoding };
  const why = await whyBatch(file, kind);
  if (why !== null) return { as: 'batch', file, kind, why };
  const preview = await loadPreview(file, kind, { rows: PAGE_MAX_ROWS, bytes: PAGE_MAX_BYTES });
  return preview.more ? { as: 'batch', file, kind, why: TOO_MANY } : { as: 'table', file, kind, preview };
};

/** What is read of a file so far, and how far a person is with it. */
type Step =
  | { readonly at: 'source'; readonly fault: string | null; readonly busy: boolean }
  | { readonly at: 'encoding'; readonly file: File; readonly fault: Fault }
  | { readonly at: 'columns'; readonly way: Extract<Way, { as: 'table' }>; readonly mapping: Mapping }
  | { readonly at: 'batch'; readonly batch: Omit<AsBatch, 'as'>; readonly chosen?: ChosenColumns }
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
  return { at: 'batch', batch: { file, kind, why: ofBatchesInWords(table.fault) }, chosen };
};

const stepOf = async (file: File, encoding: string | null, known: Rules['known']): Promise<Step> => {
  try {
    const way = await chooseWay(file, encoding);
    if (way.as === 'batch') return { at: 'batch', batch: way };
    const columns = { at: 'columns', way, mapping: guessOf(way.preview) } as const;
    return isClear(way.preview) ? afterColumns(columns, known) : columns;
  } catch (error) {
    const refusal = asFault(error);
    if (isOfEncoding(refusal)) return { at: 'encoding', file, fault: refusal };
    const { status, details, message }: Fault = refusal;
    const isOfFile = status === 400 && details.startsWith('body: ');
    const fault = isOfFile ? `This file ${details.slice('body: '.length)}.` : details || message;
    return { ...BEGIN, fault };
  }
};

interface ImporterProps {
  readonly rules: Rules;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
}

/** Leads from a file to finished codes: source, columns, rows. A long file becomes a batch instead. */
const Importer = ({ rules, left }: ImporterProps) => {
  const { known } = rules;
  const [step, setStep] = useState<Step>(BEGIN);
  const again = () => setStep(BEGIN);
  const take = async (file: File, encoding: string | null = null): Promise<void> => {
    setStep({ ...BEGIN, busy: true });
    setStep(await stepOf(file, encoding, known));
  };

  if (step.at === 'source')
    return (
      <Source
        {...step}
        columns={[...known.map(({ name }) => name), 'file']}
        onFile={(file) => void take(file)}
      />
    );
  if (step.at === 'encoding')
    return (
      <EncodingChoice
        key={step.fault.details}
        fault={step.fault}
        onChoose={(encoding) => void take(step.file, encoding)}
      />
    );
  if (step.at === 'batch') {
    const { file, kind, why } = step.batch;
    return (
      <>
        <p class="notice plain" role="status">
          <strong>{why}, so it becomes a batch.</strong> You can close the page once it is uploaded. If a row
          is wrong, the batch names it, and nothing is made or charged.
        </p>
        <BatchForm
          {...{ file, kind, left }}
          chosen={step.chosen ?? null}
          folderName={folderNameOf(file.name)}
          onOther={again}
        />
      </>
    );
  }
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
      onColumns={() => setStep(step.back)}
      onBack={again}
    />
  );
};

/** Makes codes from the rows of a spreadsheet or CSV file. */
export default function Import(_: { readonly path: string }) {
  const { account } = useSession();
  const rules = useDocument(rulesOf);
  const usage = useGet('/api/v1/usage', {});
  return (
    <Page title="Import">
      <p class="lead">
        Each row becomes one code, saved in a folder. All rows are checked before they cost anything.
      </p>
      {account.plan !== 'pro' && (
        <p class="notice">
          Making codes from a file needs the Pro plan, and this account is on Free. You can check a file here.
          To make the codes, ask the operator of this service for Pro.
        </p>
      )}
      {usage.error && <Failure fault={usage.error} retry={() => void usage.refetch()} />}
      <Loaded load={rules} what="the rules">
        {(known) => (
          <div class="importer">
            <Importer rules={known} left={usage.data?.remaining ?? null} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
