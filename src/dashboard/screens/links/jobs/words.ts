/** A link job in words: what it does, its state, and how far it is. */
import type { LinkJob } from '../../../api/shapes.ts';
import { count } from '../../../ui/format.ts';
import { say } from '../../../words/say.ts';

const STATES: Readonly<Record<LinkJob['state'], string>> = {
  receiving: say('Uploading'),
  checking: say('Checking'),
  running: say('Working'),
  reverting: say('Bringing back'),
  done: say('Done'),
  failed: say('Failed'),
  cancelled: say('Cancelled'),
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
  change: [say('Change of links'), say('Check of changes')],
  import: [say('Import of links'), say('Check of an import')],
  undo: [say('Undo of a change'), say('Undo of a change')],
};

/** Returns what the job is called. */
export const nameOf = ({ kind, dry_run: isDry }: Pick<LinkJob, 'kind' | 'dry_run'>): string =>
  NAMES[kind][isDry ? 1 : 0];

/** Says what a job has done, or in a dry run would do, to links. */
const effectOf = ({ kind, made, changed, dry_run: isDry }: LinkJob): string => {
  if (kind === 'import')
    return isDry
      ? say({ one: '{n} link would be made.', other: '{n} links would be made.' }, { n: made })
      : say({ one: '{n} link was made.', other: '{n} links were made.' }, { n: made });
  return isDry
    ? say({ one: '{n} link would be changed.', other: '{n} links would be changed.' }, { n: changed })
    : say({ one: '{n} link was changed.', other: '{n} links were changed.' }, { n: changed });
};

/** Says in a sentence where the job stands. */
export const sentenceOf = (job: LinkJob): string => {
  const { state, rows, dry_run: isDry, all_or_nothing: isAllOrNothing, reason } = job;
  if (state === 'receiving')
    return rows === 0
      ? say('Receiving the file.')
      : say('{rows} received so far.', { rows: count(rows, 'row', 'rows') });
  if (state === 'checking')
    return isDry || isAllOrNothing
      ? say('{rows} are checked. Nothing has changed yet.', { rows: count(rows, 'row', 'rows') })
      : say('{rows} are checked.', { rows: count(rows, 'row', 'rows') });
  if (state === 'running') return effectOf(job);
  if (state === 'reverting') return say('What was changed is brought back.');
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
  [say('Rows'), rows],
  kind === 'import' ? [say('Links made'), made] : [say('Links changed'), changed],
  [say('As they are already'), unchanged],
  [say('Rows with errors'), faults],
];

/** Says what became of rows with faults. */
export const adviceOf = (job: LinkJob): string => {
  const { kind, state, dry_run: isDry, all_or_nothing: isAllOrNothing } = job;
  if (kind === 'undo') return say('These links were left out.');
  if (isAllOrNothing)
    return say('Nothing changes while there is one. Correct these rows, and send the file again.');
  if (isDry) return say('These rows would be left out.');
  return state === 'failed' ? say('These rows could not be handled.') : say('These rows were left out.');
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
