/** Codes as a table with the columns that a person has chosen. */
import { useCallback } from 'preact/hooks';
import { toScreenPath } from '../../../api/client.ts';
import type { Code } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { LongList, type useLongList } from '../../../ui/long-list.tsx';
import { say } from '../../../words/say.ts';
import { labelOf } from '../thumbnail.tsx';
import type { Column } from './columns.tsx';
import { Chooser, CodeMenu, type ItemProps, Picture } from './parts.tsx';
import type { Sort } from './toolbar.tsx';

export type ListOfCodes = ReturnType<typeof useLongList<'/api/v1/codes'>>;

interface SortedProps {
  readonly title: string;
  readonly look?: string;
  readonly sorts: readonly Sort[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

const DIRECTIONS = {
  newest: 'descending',
  scans: 'descending',
  oldest: 'ascending',
  name: 'ascending',
} as const;

/** The heading of a column that sorts the list. */
const Sorted = ({ title, look = '', sorts, sort, onSort }: SortedProps) => {
  const place = sorts.indexOf(sort);
  const next = sorts[(place + 1) % sorts.length];
  const direction = place < 0 ? 'none' : DIRECTIONS[sort];
  return (
    <th scope="col" class={look} aria-sort={direction}>
      <Quiet onClick={() => next && onSort(next)}>
        {title}
        {direction !== 'none' && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
      </Quiet>
    </th>
  );
};

interface CodeTableProps extends Omit<ItemProps, 'code'>, Pick<SortedProps, 'sort' | 'onSort'> {
  readonly list: ListOfCodes;
  readonly columns: readonly Column[];
  /** How many codes the list has; `null`: unknown. */
  readonly total: number | null;
}

interface RowProps extends ItemProps, Pick<CodeTableProps, 'columns'> {
  /** In the table, from 1. */
  readonly place: number;
}

const Row = ({ code, columns, place, selection, actions }: RowProps) => (
  <tr class={selection.has(code) ? 'chosen' : ''} aria-rowindex={place}>
    <td>
      <span class="code-name">
        <Chooser code={code} selection={selection} />
        <Picture code={code} />
        <a href={toScreenPath(`/codes/${code.id}`)} title={code.content}>
          {labelOf(code)}
        </a>
      </span>
    </td>
    {columns.map(({ title, look = '', unit, cell }) => (
      <td key={title} class={look} data-unit={unit?.(code)}>
        {cell(code, actions)}
      </td>
    ))}
    <td class="end">
      <CodeMenu code={code} actions={actions} />
    </td>
  </tr>
);

export const CodeTable = ({ list, columns, total, sort, onSort, ...of }: CodeTableProps) => {
  const { selection, actions } = of;
  const rows = useCallback(
    (codes: readonly Code[], place: number) =>
      codes.map((code, offset) => (
        <Row key={code.id} code={code} columns={columns} place={place + offset + 2} {...of} />
      )),
    [columns, selection, actions],
  );
  return (
    <div class="card">
      <table class="table codes" aria-rowcount={total === null ? -1 : total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <Sorted title={say('Name')} sorts={['name']} sort={sort} onSort={onSort} />
            {columns.map(({ title, sorts, look = '' }) =>
              sorts === undefined ? (
                <th key={title} scope="col" class={look}>
                  {title}
                </th>
              ) : (
                <Sorted key={title} title={title} look={look} sorts={sorts} sort={sort} onSort={onSort} />
              ),
            )}
            <th>
              <span class="hidden">{say('Actions')}</span>
            </th>
          </tr>
        </thead>
        <LongList list={list} frame="tbody">
          {rows}
        </LongList>
      </table>
    </div>
  );
};
