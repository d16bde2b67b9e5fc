/** The columns of a file with their first rows, and what a person makes of them. */
import type { BatchPreview } from '../../api/shapes.ts';
import { Quiet } from '../../ui/buttons.tsx';
import { FaultOf } from '../../ui/fields.tsx';
import { count } from '../../ui/format.ts';
import { say } from '../../words/say.ts';
import { groupsFor, wordOf } from './fields.ts';
import { choose, listLeftOut, type Mapping } from './mapping.ts';

const SAMPLES = 3;
const SAMPLE_MAX_LENGTH = 120;

interface FieldSelectProps {
  readonly id: string;
  readonly field: string | null;
  /** A rare field that has the name of the column; `null`: none. */
  readonly own: string | null;
  readonly fields: readonly string[];
  readonly onField: (field: string | null) => void;
}

const FieldSelect = ({ id, field, own, fields, onField }: FieldSelectProps) => (
  <select
    id={id}
    class={field === null ? 'muted' : ''}
    value={field ?? ''}
    aria-describedby={`${id}-rows`}
    onChange={(event) => onField(event.currentTarget.value || null)}
  >
    <option value="">{say('Leave out')}</option>
    {groupsFor(fields, field ?? own).map((group) => (
      <optgroup key={group.label} label={group.label}>
        {group.fields.map((one) => (
          <option key={one} value={one}>
            {wordOf(one)}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
);

const Samples = ({ id, cells }: { readonly id: string; readonly cells: readonly string[] }) => (
  <ul class="samples muted small" id={id} aria-label={say('First rows')}>
    {cells.map((cell, index) => (
      <li key={index}>{cell === '' ? '–' : cell.slice(0, SAMPLE_MAX_LENGTH)}</li>
    ))}
  </ul>
);

const leftOutInWords = (names: readonly string[]): string => {
  if (names.length === 0) return say('All columns are used.');
  const shown = names.slice(0, 3).map((name) => `“${name}”`);
  const more =
    names.length > shown.length ? ` ${say('and {n} more', { n: names.length - shown.length })}` : '';
  return say('{columns} left out: {names}{more}.', {
    columns: count(names.length, 'column', 'columns'),
    names: shown.join(', '),
    more,
  });
};

/** Says what was found out about the file besides its columns. */
const notesInWords = ({ empty_rows: emptyRows, first_empty_rows: [first] }: BatchPreview): string =>
  first === undefined
    ? ''
    : ` ${say('{rows} left out, the first is row {first}.', { rows: count(emptyRows, 'empty row', 'empty rows'), first })}`;

interface ColumnsProps {
  readonly read: BatchPreview;
  readonly mapping: Mapping;
  /** What is wrong with the choice of columns. */
  readonly fault: string | null;
  /** Whether the columns were chosen for an earlier file. */
  readonly isRecalled: boolean;
  /** Called when a person wants them guessed anew. */
  readonly onGuess: () => void;
  readonly onMapping: (mapping: Mapping) => void;
}

/** Shows the columns of a file with their first rows, and lets a person say what each is. */
export const Columns = ({ read, mapping, fault, isRecalled, onGuess, onMapping }: ColumnsProps) => (
  <section class="card" aria-labelledby="columns-title">
    <h2 id="columns-title">{say('Columns')}</h2>
    <p class="muted">
      {isRecalled
        ? say('They are as you chose them for the last file with these columns.')
        : say('Check that each column was understood.')}{' '}
      {isRecalled && <Quiet onClick={onGuess}>{say('Guess them anew')}</Quiet>}
    </p>
    <ul class="column-list">
      {read.columns.map(({ name }, index) => {
        const id = `column-${index}`;
        return (
          <li key={index} class={mapping[index] === null ? 'left-out' : ''}>
            <label for={id}>{name === '' ? say('Column {index}', { index: index + 1 }) : name}</label>
            <FieldSelect
              id={id}
              field={mapping[index] ?? null}
              own={read.fields.includes(name) ? name : null}
              fields={read.fields}
              onField={(field) => onMapping(choose(mapping, index, field))}
            />
            <Samples id={`${id}-rows`} cells={read.rows.slice(0, SAMPLES).map((row) => row[index] ?? '')} />
          </li>
        );
      })}
    </ul>
    <p class="muted small" role="status">
      {leftOutInWords(listLeftOut(read, mapping))}
      {notesInWords(read)}
    </p>
    <FaultOf text={fault} />
  </section>
);
