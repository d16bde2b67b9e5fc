import { useState } from 'preact/hooks';
import type { DuplicateRule } from '../../../../duplicates/rules.ts';
import { type Fault, toScreenPath } from '../../../api/client.ts';
import { ONCE, useGet, useRead } from '../../../api/query.ts';
import type { BatchOptions, BatchPreview, QrRequest } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { FaultOf, Input, Segments, SelectInput, UrlInput } from '../../../ui/fields.tsx';
import { useSession, useSettled } from '../../../ui/hooks.ts';
import { Card } from '../../../ui/page.tsx';
import { TillFields } from '../../codes/download.tsx';
import { type ChosenColumns, Columns, loadPreview, useColumns } from './columns.tsx';
import type { FileKind } from './file.ts';
import {
  type ColumnsQuery,
  type ContentChoice,
  faultOf,
  fitTo,
  listUnique,
  NOTHING_CHOSEN,
  namesIn,
  sourceOf,
  templateFault,
  toOptions,
  toQuery,
} from './mapping.ts';

const PAUSE_MS = 300;

/** What the service makes of the first rows of a file, and which of them repeat an earlier one. */
export interface ComposedRows {
  /** `null`: nothing is known, or nothing can be made. */
  readonly rows: BatchPreview['composed'];
  /** Why nothing can be made; `null`: something can, or nothing was asked. */
  readonly fault: string | null;
  /** `null`: the rows have not been compared. */
  readonly compared: BatchPreview | null;
  /** Why they could not be compared. */
  readonly compareFault: string | null;
}

const toFault = ({ details, message }: Fault): string => details.replace(/^Design\.\w+: /, '') || message;

/**
 * Asks what the codes of the first rows will say, and compares the rows.
 *
 * @param isMade Whether what they say is made of several columns.
 * @param isAsked Whether the columns are clear.
 */
const useComposed = (
  file: File,
  kind: FileKind,
  { template, gs1, counters, qrOptions }: BatchOptions,
  query: ColumnsQuery,
  isMade: boolean,
  isAsked: boolean,
): ComposedRows => {
  const form = qrOptions?.gs1 && { qrOptions: { gs1: qrOptions.gs1 } };
  const wanted = JSON.stringify({ design: { template, gs1, counters, ...form }, query });
  const asked = useSettled(wanted, PAUSE_MS);
  const { data, error } = useRead(
    ['composed', file.name, file.size, file.lastModified, kind.encoding, asked],
    (signal) => loadPreview(file, kind, { ...JSON.parse(asked), signal }),
    { ...ONCE, enabled: isAsked && kind.format !== 'ndjson' && asked === wanted },
  );
  const compareFault = isAsked && error !== null ? toFault(error) : null;
  const compared = isAsked && error === null ? (data ?? null) : null;
  if (!isMade) return { rows: null, fault: null, compared, compareFault };
  const fault = compareFault ?? compared?.fault ?? null;
  return { rows: compared?.composed ?? null, fault, compared, compareFault };
};

const SOURCES = [
  ['data', 'A column'],
  ['gs1', 'GS1 numbers'],
  ['template', 'A template'],
] as const;

const FORMS = [
  ['digital-link', 'Digital Link'],
  ['element-string', 'Element string'],
] as const;

interface FieldsProps {
  readonly choice: ContentChoice;
  readonly counters: readonly string[];
  readonly onChange: (changed: Partial<ContentChoice>) => void;
}

const Gs1Fields = ({ choice, counters, onChange }: FieldsProps) => (
  <>
    <div class="kind-fields">
      <SelectInput
        label="The codes contain"
        value={choice.form}
        options={FORMS}
        onChoose={(form) => onChange({ form })}
      />
      {choice.form === 'digital-link' && (
        <UrlInput
          label="Your domain"
          hint="or id.gs1.org"
          placeholder="https://id.example.com"
          value={choice.stem}
          onText={(stem) => onChange({ stem })}
        />
      )}
      {counters.length > 0 && (
        <SelectInput
          label="Serial numbers"
          value={choice.serials}
          options={[['', 'As in the file'], ...counters.map((name) => [name, `Counter ${name}`] as const)]}
          onChoose={(serials) => onChange({ serials })}
        />
      )}
    </div>
    <TillFields choice={choice} onChange={onChange} />
  </>
);

const TemplateFields = ({
  choice,
  names,
  counters,
  onChange,
}: FieldsProps & { readonly names: readonly string[] }) => (
  <>
    <Input
      label="Template"
      hint="names of columns and counters in braces; {serial:06} adds zeros"
      placeholder="https://example.com/{sku}/{serial:06}"
      spellcheck={false}
      value={choice.template}
      fault={choice.template === '' ? null : templateFault(choice)}
      onText={(template) => onChange({ template })}
    />
    <p class="row small">
      Add:
      {[...names, ...counters].map((name) => (
        <Quiet key={name} onClick={() => onChange({ template: `${choice.template}{${name}}` })}>
          {name}
        </Quiet>
      ))}
    </p>
    {counters.length === 0 && (
      <p class="muted small">
        A <a href={toScreenPath('/batches/counters')}>counter</a> gives each row a number of its own.
      </p>
    )}
  </>
);

/** Shows what the codes of the first rows will say, or what is wrong with them. */
const Composed = ({ of: { rows, fault } }: { readonly of: ComposedRows }) => (
  <>
    <FaultOf text={fault} />
    {rows !== null && (
      <ol class="stack small" aria-label="What the first codes say">
        {rows.map((row, index) => (
          <li key={index} class={`wrap ${row.fault === null ? '' : 'fault'}`}>
            {row.fault ?? row.data}
          </li>
        ))}
      </ol>
    )}
  </>
);

interface ContentCardProps extends Omit<FieldsProps, 'counters'> {
  /** The names of the columns of the file. */
  readonly names: readonly string[];
  /** What the service makes of the first rows. */
  readonly composed: ComposedRows;
}

/** Asks what the data of all rows is made of, and shows what the first codes say. */
const ContentCard = ({ choice, names, composed, onChange }: ContentCardProps) => {
  const { data } = useGet('/api/v1/counters', {});
  const fields = { choice, onChange, counters: data?.data.map(({ name }) => name) ?? [] };
  return (
    <Card title="What the codes say">
      <Segments
        label="How it is made"
        value={choice.source}
        options={SOURCES}
        onChoose={(source) => onChange({ source })}
      />
      {choice.source === 'gs1' && <Gs1Fields {...fields} />}
      {choice.source === 'template' && <TemplateFields {...fields} names={names} />}
      <Composed of={composed} />
    </Card>
  );
};

/** What is done about rows that repeat an earlier one. */
interface Repeats {
  readonly rule: DuplicateRule;
  /** The field whose values must be unique; '': none. */
  readonly unique: string;
}

/** Holds what a person makes of the rows of a file: which column is which, what their codes say, and what may repeat. */
export const useRows = (file: File, kind: FileKind, chosen: ChosenColumns | null, request: QrRequest) => {
  const { load, preview, setMapping, rows, ...held } = useColumns(file, kind, chosen);
  const [own, setOwn] = useState<Partial<ContentChoice>>({});
  const [wanted, setRepeats] = useState<Repeats>({ rule: 'refuse-keys', unique: '' });
  const stem = useSession().resolver_url ?? '';
  const choice = { ...NOTHING_CHOSEN, stem, source: sourceOf(held.mapping), ...own };
  const { source } = choice;
  const given = source === 'gs1' && choice.serials !== '' ? ['serial'] : [];
  const content = { source, names: namesIn(choice), given };
  const mapping = preview === null ? [] : fitTo(held.mapping, preview, content);
  const isKnown = preview !== null || kind.format === 'ndjson';
  const uniqueChoices = isKnown ? listUnique(preview, mapping, content.names) : [];
  const isLeft = uniqueChoices.some(([field]) => field === wanted.unique);
  const repeats = isLeft ? wanted : { ...wanted, unique: '' };
  const query: ColumnsQuery = {
    ...(preview === null ? {} : toQuery(preview, mapping)),
    duplicates: repeats.rule,
    ...(repeats.unique !== '' && { unique: repeats.unique }),
  };
  const columnFault = preview === null ? null : faultOf(preview, mapping, source);
  const contentFault = templateFault(choice);
  const design = toOptions(request, choice);
  const isAsked = preview !== null && (columnFault ?? contentFault) === null;
  const composed = useComposed(file, kind, design, query, source !== 'data', isAsked);
  return {
    load,
    preview,
    rows,
    mapping,
    setMapping,
    query,
    columnFault,
    choice,
    composed,
    design,
    repeats,
    setRepeats,
    uniqueChoices,
    obstacle: columnFault ?? contentFault ?? composed.fault,
    change: (changed: Partial<ContentChoice>) => setOwn((before) => ({ ...before, ...changed })),
  };
};

/** What the codes are made of: the columns of a file that has some, or why they are unknown, and what they say. */
export const RowsOfFile = ({ of }: { readonly of: ReturnType<typeof useRows> }) => {
  const { load, preview, mapping, setMapping, columnFault, choice, composed, change } = of;
  const names = preview?.columns.map(({ name }) => name) ?? [];
  return (
    <>
      {preview !== null && (
        <Columns preview={preview} mapping={mapping} fault={columnFault} onMapping={setMapping} />
      )}
      {load.error && (
        <p class="notice" role="status">
          {load.error.details.replace(/^body: /, 'This file ') || load.error.message}
        </p>
      )}
      <ContentCard choice={choice} names={names} composed={composed} onChange={change} />
    </>
  );
};
