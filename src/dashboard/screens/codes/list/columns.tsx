/** The columns of a table of codes. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Code } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { Pills } from '../../../ui/fields.tsx';
import { Dialog } from '../../../ui/form.tsx';
import { formatDay, formatNumber, unitOf } from '../../../ui/format.ts';
import { useSession } from '../../../ui/hooks.ts';
import { keep, readKept } from '../../../ui/kept/stored.ts';
import { Tags } from '../../../ui/rows/tags.tsx';
import { say } from '../../../words/say.ts';
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
    title: say('Leads to'),
    look: 'spare',
    cell: (code) => <span title={leadsTo(code)}>{leadsTo(code)}</span>,
  },
  link: {
    title: say('Short link'),
    look: 'spare',
    cell: (code, actions) => <ShortLink code={code} actions={actions} />,
  },
  tags: {
    title: say('Tags'),
    cell: ({ tags }, { filterBy }) => <Tags tags={tags} what={say('codes')} onTag={filterBy} />,
  },
  scans: {
    title: say('Scans'),
    sorts: ['scans'],
    look: 'number',
    unit: ({ dynamic, scan_count: scans }) => (dynamic ? unitOf(scans, 'scan', 'scans') : undefined),
    cell: ({ dynamic, scan_count }) => (dynamic ? formatNumber(scan_count) : say('Static')),
  },
  grade: { title: say('Grade'), cell: ({ grade }) => <GradeMark grade={grade} /> },
  size: { title: say('Size'), look: 'number', cell: ({ width, height }) => `${width} × ${height} px` },
  own: { title: say('Your id'), cell: ({ external_id }) => external_id ?? '' },
  made: {
    title: say('Made'),
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
    columns: useMemo(() => chosen.map((name): Column => COLUMNS[name]), [chosen]),
  };
};

interface ColumnsDialogProps extends Pick<ReturnType<typeof useColumns>, 'chosen' | 'choose'> {
  readonly onClose: () => void;
}

/** Lets a person choose the columns, which change at once. */
export const ColumnsDialog = ({ chosen, choose, onClose }: ColumnsDialogProps) => (
  <Dialog title={say('Columns of the list')} onClose={onClose}>
    <Pills
      legend={say('Columns besides the name')}
      options={NAMES.map((name) => [name, COLUMNS[name].title] as const)}
      chosen={chosen}
      onChoose={choose}
    />
    <div class="row">
      <Quiet onClick={onClose}>{say('Close')}</Quiet>
    </div>
  </Dialog>
);
