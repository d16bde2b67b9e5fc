/** The filters of a list of codes, as the address has them. */
import { useState } from 'preact/hooks';
import { useGet } from '../../../api/query.ts';
import { Button, Quiet } from '../../../ui/buttons.tsx';
import { Input, type Options, SelectInput } from '../../../ui/fields.tsx';
import { say } from '../../../words/say.ts';
import { FolderDialog } from '../folder-choice.tsx';

const KINDS = [
  ['', say('Static and dynamic')],
  ['dynamic', say('Dynamic')],
  ['static', say('Static')],
] as const;

/** Each value is the lowest and the highest of a range; one of them may be missing. */
const GRADES = [
  ['', say('Any grade')],
  ['4-4', say('Grade {grade}', { grade: 4 })],
  ['0-3', say('Grade 3 or lower')],
  ['0-2', say('Grade 2 or lower')],
  ['0-1', say('Grade 1 or lower')],
  ['0-0', say('Grade {grade}', { grade: 0 })],
] as const;
const SIZES = [
  ['', say('Any size')],
  ['1-300', say('Up to 300 px wide')],
  ['301-1000', say('301 to 1000 px wide')],
  ['1001-', say('Over 1000 px wide')],
] as const;

/** No filter. `from` and `to` are days of the reader's time zone, both of which are included. */
export const NO_FILTERS = { kind: '', grade: '', size: '', folder: '', from: '', to: '' };

export type Filters = typeof NO_FILTERS;

/** The values that the filters of an address may have. */
export const KNOWN_FILTERS = {
  kind: KINDS as Options<string>,
  grade: GRADES as Options<string>,
  size: SIZES as Options<string>,
};

/** Returns the beginning of a day in the reader's time zone, or of one some days later; absent for what is no day. */
const startOf = (day: string, daysLater = 0): string | undefined => {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

/** Returns the fields of a query under their names, without those that have no value. */
const given = <T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const rangeOf = (range: string): readonly (number | undefined)[] =>
  range.split('-').map((end) => (end === '' ? undefined : Number(end)));

/** Returns the query of a list with these filters. */
export const toQuery = ({ kind, grade, size, folder, from, to }: Filters) => {
  const [minGrade, maxGrade] = rangeOf(grade);
  const [minWidth, maxWidth] = rangeOf(size);
  return given({
    dynamic: kind === '' ? undefined : kind === 'dynamic',
    min_grade: minGrade,
    max_grade: maxGrade,
    min_width: minWidth,
    max_width: maxWidth,
    folder_id: folder === '' ? undefined : folder,
    created_from: startOf(from),
    created_to: startOf(to, 1),
  });
};

/** Returns how many filters are set. */
export const countFilters = (filters: Filters): number =>
  Object.keys(NO_FILTERS).filter((name) => filters[name as keyof Filters] !== '').length;

interface FolderFilterProps {
  /** '': all folders. */
  readonly id: string;
  readonly onChoose: (id: string) => void;
}

/** Takes a folder whose rows alone are listed. */
export const FolderFilter = ({ id, onChoose }: FolderFilterProps) => {
  const [isOpen, setOpen] = useState(false);
  const { data } = useGet('/api/v1/folders/{id}', { path: { id } }, { enabled: id !== '' });
  return (
    <div class="field">
      <span class="label">{say('Folder')}</span>
      <div class="row">
        <Button about={say('of the folder filter')} onClick={() => setOpen(true)}>
          {id === '' ? say('All folders') : (data?.name ?? say('One folder'))}
        </Button>
        {id !== '' && <Quiet onClick={() => onChoose('')}>{say('All folders')}</Quiet>}
      </div>
      {isOpen && (
        <FolderDialog
          title={say('Only one folder')}
          action={say('Choose')}
          onChoose={async (folder) => onChoose(folder.id)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
};

interface FilterFieldsProps {
  readonly filters: Filters;
  /** Whether the list is that of one folder. */
  readonly isOfFolder: boolean;
  readonly onFilter: (changed: Partial<Filters>) => void;
}

/** Takes filters of a list of codes. */
export const FilterFields = ({ filters, isOfFolder, onFilter }: FilterFieldsProps) => {
  const { kind, grade, size, folder, from, to } = filters;
  return (
    <>
      <SelectInput
        label={say('Kind')}
        value={kind}
        options={KNOWN_FILTERS.kind}
        onChoose={(kind) => onFilter({ kind })}
      />
      <SelectInput
        label={say('Grade')}
        value={grade}
        options={KNOWN_FILTERS.grade}
        onChoose={(grade) => onFilter({ grade })}
      />
      <SelectInput
        label={say('Size')}
        value={size}
        options={KNOWN_FILTERS.size}
        onChoose={(size) => onFilter({ size })}
      />
      <Input
        label={say('Made from')}
        type="date"
        max={to}
        value={from}
        onText={(from) => onFilter({ from })}
      />
      <Input label={say('Made until')} type="date" min={from} value={to} onText={(to) => onFilter({ to })} />
      {!isOfFolder && <FolderFilter id={folder} onChoose={(folder) => onFilter({ folder })} />}
    </>
  );
};
