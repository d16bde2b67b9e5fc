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
import type { Misprint } from './misprints.ts';

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
  /** An address in it that looks misprinted. */
  readonly misprint: Misprint | undefined;
  /** The field of each column that is used. */
  readonly mapping: Mapping;
  readonly onDraft: (change: ChangeDraft) => void;
}

/** Returns a draft with the addresses that were probably meant. */
const withMeant = (draft: TableDraft, misprints: readonly Misprint[]): TableDraft =>
  misprints.reduce((now, { file_row, column, meant }) => withCell(now, file_row, column, meant), draft);

interface WrongsProps extends Pick<RowCardProps, 'row' | 'misprint'> {
  readonly id: string;
  readonly names: readonly string[];
  /** The column of each fault; -1: none. */
  readonly places: readonly number[];
}

const MEANT_MAX_LENGTH = 120;

/** Lists what is wrong with a row, and how a misprinted address was probably meant. */
const Wrongs = ({ id, names, row: { faults }, misprint, places }: WrongsProps) => (
  <ul>
    {faults.map(({ field, message }, index) => (
      <li key={index} class="fault" id={`${id}-${index}`}>
        <strong>{field !== 'row' && `${names[places[index] ?? -1] ?? wordOf(field)}: `}</strong>
        {message}
      </li>
    ))}
    {misprint && (
      <li class="doubt wrap" id={`${id}-meant`}>
        <strong>{names[misprint.column]}: </strong>
        {say('This looks like a misprint. Was {meant} meant?', {
          meant: misprint.meant.slice(0, MEANT_MAX_LENGTH),
        })}
      </li>
    )}
  </ul>
);

/** Shows a row with all that is wrong with it, and an input for each of its cells, as far as its cells are here. */
const RowCard = ({ draft, row, misprint, mapping, onDraft }: RowCardProps) => {
  const { read, isHeld } = draft;
  const { file_row: fileRow, faults } = row;
  const names = read?.columns.map(({ name }) => name) ?? [];
  const cells = isHeld ? read?.rows[read.file_rows.indexOf(fileRow)] : undefined;
  const id = `row-${fileRow}`;
  const places = faults.map(({ field, column }) => column ?? columnAt(mapping, field));
  const look = faults.length > 0 ? '' : misprint === undefined ? 'right' : 'doubtful';
  const idOfFault = (at: number): string | null => {
    if (places.includes(at)) return `${id}-${places.indexOf(at)}`;
    return misprint?.column === at ? `${id}-meant` : null;
  };
  const about = say('row {fileRow}', { fileRow });
  return (
    <li class={`faulty-row ${look}`}>
      <fieldset>
        <legend>{say('Row {fileRow}', { fileRow })}</legend>
        {look === 'right' && <span class="chip good">{say('Corrected')}</span>}
        <Wrongs id={id} names={names} row={row} misprint={misprint} places={places} />
        {cells !== undefined && (
          <div class="cells">
            {names.map((name, at) => {
              const faultId = idOfFault(at);
              return (mapping[at] ?? null) === null && faultId === null ? null : (
                <CellInput
                  key={at}
                  name={name}
                  value={cells[at] ?? ''}
                  faultId={faultId}
                  onValue={(value) => onDraft((now) => withCell(now, fileRow, at, value))}
                />
              );
            })}
          </div>
        )}
        {look !== 'right' && (
          <div class="row">
            {cells !== undefined && misprint && (
              <Button about={about} onClick={() => onDraft((now) => withMeant(now, [misprint]))}>
                {say('Correct the address')}
              </Button>
            )}
            {mayLeaveOut(draft) && (
              <Quiet about={about} onClick={() => onDraft((now) => withoutRow(now, [fileRow]))}>
                {say('Leave out')}
              </Quiet>
            )}
          </div>
        )}
      </fieldset>
    </li>
  );
};

const STEP = 20;

/** Shows the rows that are wrong, and those that were corrected here: a row that vanishes would take the focus along. */
const FaultyRows = ({ draft, rows, misprints, ...props }: Omit<RowsProps, 'checked' | 'searched'>) => {
  const [max, setMax] = useState(STEP);
  const misprintOf = new Map(misprints.map((misprint) => [misprint.file_row, misprint]));
  const wrong = new Set(rows.map(({ file_row }) => file_row));
  const others = new Set([
    ...misprintOf.keys(),
    ...draft.edited.filter((row) => !draft.leftOut.includes(row)),
  ]);
  const all = [
    ...rows,
    ...[...others].filter((row) => !wrong.has(row)).map((file_row) => ({ file_row, faults: [] })),
  ].sort((one, other) => one.file_row - other.file_row);
  if (all.length === 0) return null;
  return (
    <>
      <ul class="faulty-rows">
        {all.slice(0, max).map((row) => (
          <RowCard
            key={row.file_row}
            draft={draft}
            row={row}
            misprint={misprintOf.get(row.file_row)}
            {...props}
          />
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

interface RowsProps extends Omit<RowCardProps, 'row' | 'misprint'> {
  readonly rows: readonly FaultyRow[];
  /** Addresses that look misprinted, which does not keep anybody from sending them. */
  readonly misprints: readonly Misprint[];
  /** How many of the first rows were checked; `null`: none yet. */
  readonly checked: number | null;
  /** How many of the first rows were searched for misprinted addresses; `null`: none. */
  readonly searched: number | null;
}

/** Says how many addresses look misprinted; '' for none. */
export const misprintsInWords = (n: number): string =>
  n === 0
    ? ''
    : say({ one: '{n} address looks misprinted.', other: '{n} addresses look misprinted.' }, { n });

const statusOf = ({ rows, misprints, checked, searched, draft: { isHeld } }: RowsProps): string => {
  const n = rows.length;
  const found = [
    n === 0 ? '' : say({ one: '{n} row has faults.', other: '{n} rows have faults.' }, { n }),
    misprintsInWords(misprints.length),
  ].filter((said) => said !== '');
  if (checked === null) return found.join(' ');
  if (isHeld) return found.join(' ') || say('All {checked} rows are right.', { checked });
  if (found.length === 0) found.push(say('The first {checked} rows are right.', { checked }));
  found.push(say('The others are checked before anything is made.'));
  if (searched !== null)
    found.push(say('Misprinted addresses are looked for in the first {searched} rows.', { searched }));
  return found.join(' ');
};

/** Shows what is wrong with the rows of a file. */
export const Rows = (props: RowsProps) => {
  const { draft, rows, misprints, mapping, onDraft } = props;
  const { isHeld, leftOut } = draft;
  const wrong = rows.map(({ file_row }) => file_row);
  const isAnyWrong = rows.length + misprints.length > 0;
  const isFixed = isAnyWrong && !mayLeaveOut(draft);
  return (
    <Card title={say('Rows')}>
      <p role="status">{statusOf(props)}</p>
      {isFixed && (
        <p class="notice">
          {say(
            'A spreadsheet of more than 10,000 rows is sent as it is. Correct these rows in it, or save it as CSV to leave them out here.',
          )}
        </p>
      )}
      {isAnyWrong && !isHeld && !isFixed && (
        <p class="muted">
          {say('The file is too long to be corrected here. Correct these rows in it, or leave them out.')}
        </p>
      )}
      <div class="row">
        {misprints.length > 1 && isHeld && (
          <Button onClick={() => onDraft((now) => withMeant(now, misprints))}>
            {say('Correct all {n} addresses', { n: misprints.length })}
          </Button>
        )}
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
      <FaultyRows draft={draft} rows={rows} misprints={misprints} mapping={mapping} onDraft={onDraft} />
    </Card>
  );
};
