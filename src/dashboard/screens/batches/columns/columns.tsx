import type { ComponentChildren } from 'preact';
import type { BatchPreview } from '../../../api/shapes.ts';
import { count } from '../../../ui/format.ts';
import { FaultOf } from '../../../ui/forms/field.tsx';
import { choose, GS1_WORDS, listLeftOut, type Mapping } from './mapping.ts';

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

/** A list of the fields that a column may be. */
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
