/** The rows of a file that are wrong, where they can be corrected or left out. */
import { useState } from 'preact/hooks';
import { Button, Quiet } from '../../ui/buttons.tsx';
import { useFollowing } from '../../ui/fields.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';
import {
  type ChangeDraft,
  type FaultyRow,
  mayLeaveOut,
  type TableDraft,
  withAllRows,
  withCell,
  withoutRow,
} from './draft.ts';
import { wordOf } from './fields.ts';
import type { Mapping } from './mapping.ts';

interface CellInputProps {
  readonly name: string;
  readonly value: string;
  /** Id of the element that says what is wrong with this cell; `null`: nothing is. */
  readonly faultId: string | null;
  readonly onValue: (value: string) => void;
}

/** Takes a cell, and reports its value when the person leaves it: rows are checked by the service. */
const CellInput = ({ name, value, faultId, onValue }: CellInputProps) => {
  const [text, setText] = useFollowing(value);
  return (
    <label>
      <span class="muted">{name}</span>
      <input
        type="text"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => onValue(event.currentTarget.value)}
        {...(faultId === null ? {} : { 'aria-invalid': true as const, 'aria-describedby': faultId })}
      />
    </label>
  );
};

/** Returns the column of a field that is at fault, such as `tags.1`; -1: no column is. */
const columnAt = (mapping: Mapping, field: string): number => {
  const name = field.replace(/^values\./, '');
  const exact = mapping.indexOf(name);
  return exact === -1 ? mapping.indexOf(name.split('.')[0] ?? '') : exact;
};

interface RowCardProps {
  readonly draft: TableDraft;
  readonly row: FaultyRow;
  /** The field of each column that is used. */
  readonly mapping: Mapping;
  readonly onDraft: (change: ChangeDraft) => void;
}

/** Shows a row with all that is wrong with it, and an input for each of its cells, as far as its cells are here. */
const RowCard = ({ draft, row: { file_row: fileRow, faults }, mapping, onDraft }: RowCardProps) => {
  const { read, isHeld } = draft;
  const names = read?.columns.map(({ name }) => name) ?? [];
  const cells = read?.rows[read.file_rows.indexOf(fileRow)];
  const id = `row-${fileRow}`;
  const places = faults.map(({ field, column }) => column ?? columnAt(mapping, field));
  const isRight = faults.length === 0;
  return (
    <li class={`faulty-row ${isRight ? 'right' : ''}`}>
      <fieldset>
        <legend>{say('Row {fileRow}', { fileRow })}</legend>
        {isRight && <span class="chip good">{say('Corrected')}</span>}
        <ul>
          {faults.map(({ field, message }, index) => (
            <li key={index} class="fault" id={`${id}-${index}`}>
              <strong>{field !== 'row' && `${names[places[index] ?? -1] ?? wordOf(field)}: `}</strong>
              {message}
            </li>
          ))}
        </ul>
        {cells !== undefined && isHeld && (
          <div class="cells">
            {names.map((name, at) => {
              const fault = places.indexOf(at);
              return (mapping[at] ?? null) === null && fault === -1 ? null : (
                <CellInput
                  key={at}
                  name={name}
                  value={cells[at] ?? ''}
                  faultId={fault === -1 ? null : `${id}-${fault}`}
                  onValue={(value) => onDraft((now) => withCell(now, fileRow, at, value))}
                />
              );
            })}
          </div>
        )}
        {mayLeaveOut(draft) && !isRight && (
          <div class="row">
            <Quiet
              about={say('row {fileRow}', { fileRow })}
              onClick={() => onDraft((now) => withoutRow(now, [fileRow]))}
            >
              {say('Leave out')}
            </Quiet>
          </div>
        )}
      </fieldset>
    </li>
  );
};

const STEP = 20;

/** Shows the rows that are wrong, and those that were corrected here: a row that vanishes would take the focus along. */
const FaultyRows = ({
  draft,
  rows,
  ...props
}: Omit<RowCardProps, 'row'> & { readonly rows: readonly FaultyRow[] }) => {
  const [max, setMax] = useState(STEP);
  const wrong = new Set(rows.map(({ file_row }) => file_row));
  const corrected = draft.edited.filter((row) => !wrong.has(row) && !draft.leftOut.includes(row));
  const all = [...rows, ...corrected.map((file_row) => ({ file_row, faults: [] }))].sort(
    (one, other) => one.file_row - other.file_row,
  );
  if (all.length === 0) return null;
  return (
    <>
      <ul class="faulty-rows">
        {all.slice(0, max).map((row) => (
          <RowCard key={row.file_row} draft={draft} row={row} {...props} />
        ))}
      </ul>
      {all.length > max && (
        <Button onClick={() => setMax(max + STEP)}>
          {say('Show {n} more of {all}', { n: Math.min(STEP, all.length - max), all: all.length })}
        </Button>
      )}
    </>
  );
};

const LISTED = 5;

const leftOutInWords = (rows: readonly number[]): string =>
  say(
    { one: '{n} row is left out: {rows}', other: '{n} rows are left out: {rows}' },
    {
      n: rows.length,
      rows: `${rows.slice(0, LISTED).map(formatNumber).join(', ')}${rows.length > LISTED ? ', …' : '.'}`,
    },
  );

interface RowsProps extends Omit<RowCardProps, 'row'> {
  readonly rows: readonly FaultyRow[];
  /** How many of the first rows were checked; `null`: none yet. */
  readonly checked: number | null;
}

const statusOf = (wrong: number, checked: number | null, isHeld: boolean): string => {
  const found =
    wrong === 0 ? '' : say({ one: '{n} row has faults.', other: '{n} rows have faults.' }, { n: wrong });
  if (checked === null) return found;
  if (isHeld) return found || say('All {checked} rows are right.', { checked });
  const rest = say('The others are checked before anything is made.');
  return `${found || say('The first {checked} rows are right.', { checked })} ${rest}`;
};

/** Shows what is wrong with the rows of a file. */
export const Rows = ({ draft, rows, checked, mapping, onDraft }: RowsProps) => {
  const { isHeld, leftOut } = draft;
  const wrong = rows.map(({ file_row }) => file_row);
  const isFixed = rows.length > 0 && !mayLeaveOut(draft);
  return (
    <Card title={say('Rows')}>
      <p role="status">{statusOf(rows.length, checked, isHeld)}</p>
      {isFixed && (
        <p class="notice">
          {say(
            'A spreadsheet of more than 10,000 rows is sent as it is. Correct these rows in it, or save it as CSV to leave them out here.',
          )}
        </p>
      )}
      {rows.length > 0 && !isHeld && !isFixed && (
        <p class="muted">
          {say('The file is too long to be corrected here. Correct these rows in it, or leave them out.')}
        </p>
      )}
      <div class="row">
        {rows.length > 1 && mayLeaveOut(draft) && (
          <Button onClick={() => onDraft((now) => withoutRow(now, wrong))}>
            {say('Leave out all {n}', { n: rows.length })}
          </Button>
        )}
        {leftOut.length > 0 && (
          <>
            <span class="muted">{leftOutInWords(leftOut)}</span>
            <Quiet onClick={() => onDraft(withAllRows)}>{say('Bring them back')}</Quiet>
          </>
        )}
      </div>
      <FaultyRows draft={draft} rows={rows} mapping={mapping} onDraft={onDraft} />
    </Card>
  );
};
