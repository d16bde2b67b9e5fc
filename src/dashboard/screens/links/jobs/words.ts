/** A link job in words: what it does, its state, and how far it is. */
import type { LinkJob } from '../../../api/shapes.ts';
import { count } from '../../../ui/format.ts';

const STATES: Readonly<Record<LinkJob['state'], string>> = {
  receiving: 'Uploading',
  checking: 'Checking',
  running: 'Working',
  reverting: 'Bringing back',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const stateOf = ({ state }: Pick<LinkJob, 'state'>): string => STATES[state];

/** Whether the job has ended, so that nothing of it changes. */
export const hasEnded = ({ finished_at: finishedAt }: Pick<LinkJob, 'finished_at'>): boolean =>
  finishedAt !== null;

/** Returns the share of the rows that are handled in the present state; `null` while their number is not known. */
export const shareOf = ({ state, rows, handled }: LinkJob): number | null => {
  if (state === 'receiving') return null;
  return rows === 0 ? 0 : handled / rows;
};

const NAMES: Readonly<Record<LinkJob['kind'], readonly [name: string, check: string]>> = {
  change: ['Change of links', 'Check of changes'],
  import: ['Import of links', 'Check of an import'],
  undo: ['Undo of a change', 'Undo of a change'],
};

/** Returns what the job is called. */
export const nameOf = ({ kind, dry_run: isDry }: Pick<LinkJob, 'kind' | 'dry_run'>): string =>
  NAMES[kind][isDry ? 1 : 0];

/** Says what a job has done, or in a dry run would do, to links. */
const effectOf = ({ kind, made, changed, dry_run: isDry }: LinkJob): string => {
  const [links, done] = kind === 'import' ? [made, 'made'] : [changed, 'changed'];
  return `${count(links, 'link')} ${isDry ? 'would be ' : links === 1 ? 'was ' : 'were '}${done}.`;
};

/** Says in a sentence where the job stands. */
export const sentenceOf = (job: LinkJob): string => {
  const { state, rows, dry_run: isDry, all_or_nothing: isAllOrNothing, reason } = job;
  if (state === 'receiving')
    return rows === 0 ? 'Receiving the file.' : `${count(rows, 'row')} received so far.`;
  if (state === 'checking')
    return isDry || isAllOrNothing
      ? `${count(rows, 'row')} are checked. Nothing has changed yet.`
      : `${count(rows, 'row')} are checked.`;
  if (state === 'running') return effectOf(job);
  if (state === 'reverting') return 'What was changed is brought back.';
  return state === 'done' ? effectOf(job) : (reason ?? '');
};

/** The counts of a job; a number that can only be 0 is left out. */
export const figuresOf = ({
  kind,
  rows,
  made,
  changed,
  unchanged,
  faults,
}: LinkJob): readonly (readonly [name: string, value: number])[] => [
  ['Rows', rows],
  kind === 'import' ? ['Links made', made] : ['Links changed', changed],
  ['As they are already', unchanged],
  ['Rows with errors', faults],
];

/** Says what became of rows with faults. */
export const adviceOf = (job: LinkJob): string => {
  const { kind, state, dry_run: isDry, all_or_nothing: isAllOrNothing } = job;
  if (kind === 'undo') return 'These links were left out.';
  if (isAllOrNothing)
    return 'Nothing changes while there is one. Correct these rows, and send the file again.';
  if (isDry) return 'These rows would be left out.';
  return state === 'failed' ? 'These rows could not be handled.' : 'These rows were left out.';
};

/** Reads columns by other names, one on each line, as in `destination = Long link`; '' when there are none. */
export const columnsOf = (text: string): string => {
  const pairs = text
    .split('\n')
    .map((line) => line.split('='))
    .map(([field = '', ...name]) => [field.trim(), name.join('=').trim()] as const)
    .filter(([field]) => field !== '');
  return pairs.length === 0 ? '' : JSON.stringify(Object.fromEntries(pairs));
};
