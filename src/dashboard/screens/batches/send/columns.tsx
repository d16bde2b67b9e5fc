/** The columns and first rows of a file, as the service reads them, and what a person makes of them. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { askRaw, type Fault } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import type { BatchOptions, BatchPreview } from '../../../api/shapes.ts';
import { Primary } from '../../../ui/buttons.tsx';
import { FaultOf, SelectInput } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import { beginningOf, ENCODINGS, type FileKind, mediaTypeOf, preselect, toHeader } from './file.ts';
import { type ColumnsQuery, choose, GS1_WORDS, guessOf, listLeftOut, type Mapping } from './mapping.ts';

/** The first rows of most files are far shorter, and this is sent in a moment. */
const BEGINNING_BYTES = 256 * 1024;
/** More rows than a person looks at, so that the rows of a short spreadsheet are counted. */
const XLSX_ROWS = 1000;

interface PreviewOptions {
  /** How many rows are asked for. */
  readonly rows?: number;
  /** About how much of CSV is sent: whole rows. An XLSX file is sent whole, since it cannot be read otherwise. */
  readonly bytes?: number;
  /** What all rows have; with it, the service says what their codes would say. */
  readonly design?: BatchOptions;
  readonly query?: ColumnsQuery;
  readonly signal?: AbortSignal;
}

/**
 * Returns the columns and first rows of a file of CSV or XLSX.
 *
 * @throws {Fault} When the service cannot read it.
 */
export const loadPreview = async (
  file: File,
  kind: FileKind,
  { rows = 5, bytes = BEGINNING_BYTES, design, query = {}, signal }: PreviewOptions = {},
): Promise<BatchPreview> => {
  const answer = await askRaw(
    `api/v1/batches/preview?${new URLSearchParams({ rows: `${rows}`, ...query })}`,
    {
      method: 'POST',
      headers: { 'content-type': mediaTypeOf(kind), ...(design && { design: toHeader(design) }) },
      body: kind.format === 'xlsx' ? file : await beginningOf(file, kind, bytes),
      ...(signal && { signal }),
    },
  );
  return (await answer.json()) as BatchPreview;
};

/** Columns as they were chosen on an earlier screen. */
export interface ChosenColumns {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
}

/** Loads the columns of a file that has some, and holds what a person makes of them. */
export const useColumns = (file: File, kind: FileKind, chosen: ChosenColumns | null) => {
  const load = useRead(
    ['columns', file.name, file.size, file.lastModified, kind.encoding],
    async (signal) => {
      if (chosen !== null) return chosen.preview;
      if (kind.format === 'ndjson') return null;
      return loadPreview(file, kind, kind.format === 'xlsx' ? { rows: XLSX_ROWS, signal } : { signal });
    },
    ONCE,
  );
  const [own, setMapping] = useState<Mapping | null>(chosen?.mapping ?? null);
  const preview = load.data ?? null;
  const mapping = own ?? (preview === null ? [] : guessOf(preview));
  return {
    load,
    preview,
    mapping,
    setMapping,
    /** The rows of a spreadsheet that is read whole; `null`: not known. */
    rows: kind.format === 'xlsx' && preview !== null && !preview.more ? preview.rows.length : null,
  };
};

const SAMPLES = 3;
const SAMPLE_MAX_LENGTH = 120;

/** The fields that most files have, and how people call them. */
const WORDS: Readonly<Record<string, string>> = {
  data: 'Content of the code',
  dynamic: 'Dynamic (yes or no)',
  name: 'Name',
  slug: 'Short link',
  external_id: 'Your id',
  file: 'File name',
};

const groupsOf = (fields: readonly string[]) => {
  const usual = Object.keys(WORDS).filter((field) => fields.includes(field));
  const gs1 = fields.filter((field) => Object.hasOwn(GS1_WORDS, field));
  const others = fields.filter((field) => !usual.includes(field) && !gs1.includes(field));
  return [
    { label: 'Rows', fields: usual },
    { label: 'GS1', fields: gs1 },
    { label: 'Design', fields: others.filter((field) => !field.startsWith('print')) },
    { label: 'Print', fields: others.filter((field) => field.startsWith('print')) },
  ].filter((group) => group.fields.length > 0);
};

interface FieldSelectProps {
  readonly id: string;
  readonly field: string | null;
  readonly fields: readonly string[];
  readonly onField: (field: string | null) => void;
}

const FieldSelect = ({ id, field, fields, onField }: FieldSelectProps) => (
  <select
    id={id}
    class={field === null ? 'muted' : ''}
    value={field ?? ''}
    aria-describedby={`${id}-rows`}
    onChange={(event) => onField(event.currentTarget.value || null)}
  >
    <option value="">Leave out</option>
    {groupsOf(field === null || fields.includes(field) ? fields : [...fields, field]).map(
      ({ label, fields: own }) => (
        <optgroup key={label} label={label}>
          {own.map((one) => (
            <option key={one} value={one}>
              {WORDS[one] ?? GS1_WORDS[one] ?? one}
            </option>
          ))}
        </optgroup>
      ),
    )}
  </select>
);

const Samples = ({ id, cells }: { readonly id: string; readonly cells: readonly string[] }) => (
  <ul class="samples muted small" id={id} aria-label="First rows">
    {cells.map((cell, index) => (
      <li key={index}>{cell === '' ? '–' : cell.slice(0, SAMPLE_MAX_LENGTH)}</li>
    ))}
  </ul>
);

const leftOutInWords = (names: readonly string[]): string => {
  if (names.length === 0) return 'All columns are used.';
  const shown = names.slice(0, 3).map((name) => `“${name}”`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${count(names.length, 'column')} left out: ${shown.join(', ')}${more}.`;
};

/** Says what was found out about the file besides its columns. */
const notesInWords = ({ encoding, empty_rows: emptyRows, first_empty_rows: [first] }: BatchPreview): string =>
  [
    ...(encoding === null ? [] : [`Read as ${encoding}.`]),
    ...(first === undefined ? [] : [`${count(emptyRows, 'empty row')} left out, the first is row ${first}.`]),
  ].join(' ');

interface ColumnsProps {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
  /** What is wrong with the choice of columns. */
  readonly fault: string | null;
  readonly onMapping: (mapping: Mapping) => void;
  /** Content below the columns. */
  readonly children?: ComponentChildren;
}

/** Shows the columns of a file with their first rows, and lets a person say what each is. */
export const Columns = ({ preview, mapping, fault, onMapping, children }: ColumnsProps) => (
  <section class="card file-columns" aria-labelledby="columns-title">
    <h2 id="columns-title" tabIndex={-1}>
      Columns
    </h2>
    <p class="muted">Choose what each column of your file contains. Its first rows are shown below.</p>
    <ul class="column-list">
      {preview.columns.map(({ name }, index) => {
        const id = `column-${index}`;
        return (
          <li key={index} class={mapping[index] === null ? 'left-out' : ''}>
            <label for={id}>{name === '' ? `Column ${index + 1}` : name}</label>
            <FieldSelect
              id={id}
              field={mapping[index] ?? null}
              fields={preview.fields}
              onField={(field) => onMapping(choose(mapping, index, field))}
            />
            <Samples
              id={`${id}-rows`}
              cells={preview.rows.slice(0, SAMPLES).map((row) => row[index] ?? '')}
            />
          </li>
        );
      })}
    </ul>
    <p class="muted small" role="status">
      {leftOutInWords(listLeftOut(preview, mapping))} {notesInWords(preview)}
    </p>
    <FaultOf text={fault} />
    {children}
  </section>
);

interface EncodingChoiceProps {
  /** Why the file cannot be read; it has the readings. */
  readonly fault: Fault;
  readonly onChoose: (encoding: string) => void;
}

/** Whether a fault is about the encoding of a file, so that a person can choose it. */
export const isOfEncoding = (fault: Fault | null): fault is Fault => fault?.error === 'Unclear encoding';

/** Shows how a row reads in the likeliest encodings, and lets a person choose the one that is right. */
export const EncodingChoice = ({ fault: { details, readings }, onChoose }: EncodingChoiceProps) => {
  const group = useId();
  const [encoding, setEncoding] = useState(() => preselect(readings, navigator.languages));
  const [place = ''] = details.replace(/^body: /, '').split(/; |\. /, 1);
  return (
    <section class="card encoding-choice" aria-labelledby={group}>
      <h2 id={group}>Which text is right?</h2>
      <p class="muted">
        The file does not say its encoding: {place}. Choose the line that reads as in your program.
      </p>
      <ul class="stack">
        {readings.map((reading) => (
          <li key={reading.encoding}>
            <label>
              <input
                type="radio"
                name={group}
                checked={reading.encoding === encoding}
                onChange={() => setEncoding(reading.encoding)}
              />{' '}
              <span class="wrap">{reading.text}</span> <span class="muted small">{reading.encoding}</span>
            </label>
          </li>
        ))}
      </ul>
      <SelectInput
        label="Encoding"
        hint="all that can be read; files saved as UTF-8 need none"
        value={encoding}
        options={ENCODINGS.map((name) => [name, name] as const)}
        onChoose={setEncoding}
      />
      <div class="row">
        <Primary onClick={() => onChoose(encoding)}>Read the file as {encoding}</Primary>
      </div>
    </section>
  );
};
