/** The columns of a table of codes. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Code } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { Pills } from '../../../ui/fields.tsx';
import { Dialog } from '../../../ui/form.tsx';
import { formatDay, formatNumber, unitOf } from '../../../ui/format.ts';
import { useSession } from '../../../ui/hooks.ts';
import { keep, readKept } from '../../../ui/kept/stored.ts';
import { Tags } from '../../../ui/rows/tags.tsx';
import { GradeMark } from '../grade.tsx';
import { leadsTo } from '../thumbnail.tsx';
import { type CodeActions, ShortLink } from './parts.tsx';
import type { Sort } from './toolbar.tsx';

export interface Column {
  readonly title: string;
  /** The orders that its heading chooses: the first one, or the next when it is chosen already. */
  readonly sorts?: readonly Sort[];
  readonly look?: string;
  /** What its value counts, which a phone shows behind it. */
  readonly unit?: (code: Code) => string | undefined;
  readonly cell: (code: Code, actions: CodeActions) => ComponentChildren;
}

/** Besides the name, which every table has. */
const COLUMNS = {
  leads: {
    title: 'Leads to',
    look: 'spare',
    cell: (code) => <span title={leadsTo(code)}>{leadsTo(code)}</span>,
  },
  link: {
    title: 'Short link',
    look: 'spare',
    cell: (code, actions) => <ShortLink code={code} actions={actions} />,
  },
  tags: {
    title: 'Tags',
    cell: ({ tags }, { filterBy }) => <Tags tags={tags} what="codes" onTag={filterBy} />,
  },
  scans: {
    title: 'Scans',
    sorts: ['scans'],
    look: 'number',
    unit: ({ dynamic, scan_count: scans }) => (dynamic ? unitOf(scans, 'scan') : undefined),
    cell: ({ dynamic, scan_count }) => (dynamic ? formatNumber(scan_count) : 'Static'),
  },
  grade: { title: 'Grade', cell: ({ grade }) => <GradeMark grade={grade} /> },
  size: { title: 'Size', look: 'number', cell: ({ width, height }) => `${width} × ${height} px` },
  own: { title: 'Your id', cell: ({ external_id }) => external_id ?? '' },
  made: {
    title: 'Made',
    sorts: ['newest', 'oldest'],
    look: 'number',
    cell: ({ created_at }) => formatDay(created_at),
  },
} as const satisfies Readonly<Record<string, Column>>;

type ColumnName = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as ColumnName[];
const USUAL: readonly ColumnName[] = ['leads', 'tags', 'scans', 'grade', 'made'];

/** Returns the columns that a person has chosen for this account in this browser, and a function that chooses others. */
export const useColumns = () => {
  const key = `tessera.codes.columns.${useSession().account.id}`;
  const [chosen, setChosen] = useState<readonly ColumnName[]>(() => {
    const kept = readKept(key)?.split(' ');
    return kept === undefined ? USUAL : NAMES.filter((name) => kept.includes(name));
  });
  const choose = (names: readonly ColumnName[]): void => {
    setChosen(names);
    keep(key, names.join(' '));
  };
  return {
    chosen,
    choose,
    columns: chosen.map((name): Column & { name: ColumnName } => ({ ...COLUMNS[name], name })),
  };
};

interface ColumnsDialogProps extends Pick<ReturnType<typeof useColumns>, 'chosen' | 'choose'> {
  readonly onClose: () => void;
}

/** Lets a person choose the columns, which change at once. */
export const ColumnsDialog = ({ chosen, choose, onClose }: ColumnsDialogProps) => (
  <Dialog title="Columns of the list" onClose={onClose}>
    <Pills
      legend="Columns besides the name"
      options={NAMES.map((name) => [name, COLUMNS[name].title] as const)}
      chosen={chosen}
      onChoose={choose}
    />
    <div class="row">
      <Quiet onClick={onClose}>Close</Quiet>
    </div>
  </Dialog>
);
