/** A batch in words: its state, its cost, what stands in its way, and its repeated rows. */
import type { Batch, BatchPreview, Session } from '../../api/shapes.ts';
import { count, formatDuration } from '../../ui/format.ts';
import { say } from '../../words/say.ts';
import type { RowCount } from '../table/file/rows.ts';

const NAMES: Readonly<Record<Batch['state'], string>> = {
  receiving: say('Uploading'),
  validating: say('Checking'),
  queued: say('Waiting'),
  running: say('Making'),
  finishing: say('Finishing'),
  done: say('Done'),
  failed: say('Failed'),
  cancelled: say('Cancelled'),
  expired: say('Expired'),
};

export const stateOf = ({ state }: Pick<Batch, 'state'>): string => NAMES[state];

/** Whether the batch has ended, so that nothing of it changes. */
export const hasEnded = ({ finished_at: finishedAt }: Pick<Batch, 'finished_at'>): boolean =>
  finishedAt !== null;

export const canBeCancelled = ({ state }: Pick<Batch, 'state'>): boolean =>
  state === 'validating' || state === 'queued' || state === 'running';

/** Tables of more rows are not held by the page. */
const HELD_ROWS_MAX = 10_000;

/** Whether rows can be corrected and sent again: those of a batch that has made nothing, or the few that failed. */
export const canBeSentAgain = (batch: Batch): boolean =>
  batch.made === 0
    ? batch.state === 'failed'
    : hasEnded(batch) && batch.failed > 0 && batch.rows <= HELD_ROWS_MAX;

/**
 * Returns the share of the rows that are done; `null` while their number is not known, or while they are being
 * validated.
 */
export const shareOf = ({ state, rows, made, failed }: Batch): number | null => {
  if (state === 'receiving' || state === 'validating') return null;
  return rows === 0 ? 0 : (made + failed) / rows;
};

/** Returns what the batch is called: the name of its folder. */
export const nameOf = ({ folder_name: name }: Pick<Batch, 'folder_name'>): string => name ?? say('Batch');

/** Returns a name for the folder of a file's codes: that of the file, without its endings, and the day. */
export const folderNameOf = (fileName: string): string => {
  const name = fileName.replace(/(\.[a-z]{2,6})(\.gz)?$/i, '').trim();
  return `${name === '' ? say('Batch') : name.slice(0, 180)} ${new Date().toISOString().slice(0, 10)}`;
};

/** Returns how long the codes of a batch that has ended took; `null` when none was begun. */
const tookS = ({ started_at: started, finished_at: finished }: Batch): number | null =>
  started === null || finished === null ? null : (Date.parse(finished) - Date.parse(started)) / 1000;

const afterDone = (batch: Batch): string => {
  const seconds = tookS(batch);
  const time = seconds === null ? '' : ` ${say('in {time}', { time: formatDuration(seconds) })}`;
  return batch.failed === 0
    ? say({ one: '1 code was made{time}.', other: 'All {n} codes were made{time}.' }, { n: batch.made, time })
    : say('{codes} made{time}, {rows} failed.', {
        codes: count(batch.made, 'code', 'codes'),
        time,
        rows: count(batch.failed, 'row', 'rows'),
      });
};

/** Says in a sentence where the batch stands. */
export const sentenceOf = (batch: Batch): string => {
  const { state, rows, position, remaining_s: remainingS, reason } = batch;
  if (state === 'receiving')
    return rows === 0
      ? say('Receiving the file.')
      : say('{rows} received so far.', { rows: count(rows, 'row', 'rows') });
  if (state === 'validating')
    return say('All {rows} rows are checked first. Nothing is charged unless all are correct.', { rows });
  if (state === 'queued')
    return position === null || position === 0
      ? say('It is next.')
      : say('Waiting for {batches}.', { batches: count(position, 'other batch', 'other batches') });
  if (state === 'running')
    return remainingS === null
      ? say('Making the codes.')
      : say('About {time} left.', { time: formatDuration(remainingS) });
  if (state === 'finishing') return say('Writing the last files.');
  return state === 'done' ? afterDone(batch) : (reason ?? '');
};

/** Returns why a session with these scopes can make no codes; otherwise `null`. */
export const keyObstacle = (scopes: readonly string[]): string | null =>
  scopes.includes('generate')
    ? null
    : say('The key that you signed in with cannot make codes. Sign in with one that may create codes.');

/** Returns why this session can make nothing from files; otherwise `null`. */
export const sessionObstacle = ({ account, scopes }: Pick<Session, 'account' | 'scopes'>): string | null => {
  if (account.plan !== 'pro')
    return say('Making codes from a file needs the Pro plan. Ask the operator of this service for it.');
  return keyObstacle(scopes);
};

/**
 * Returns why this many units cannot be paid, or else `null`. @param left Units that are left; `null` when not known.
 */
export const unitsObstacle = (units: number, left: number | null): string | null =>
  left !== null && units > left
    ? say('This needs {units} more than you have left.', { units: count(units - left, 'unit', 'units') })
    : null;

export const costOf = (cost: number, left: number | null): string => {
  const units = count(cost, 'unit', 'units');
  return left === null
    ? say('Costs {units}.', { units })
    : say('Costs {units} of the {left} that you have left.', { units, left });
};

/** Returns why so many rows cannot be sent as a batch, otherwise `null`, and what they cost. */
export const quoteOf = (
  session: Pick<Session, 'account' | 'scopes'>,
  rows: RowCount,
  left: number | null,
  folderName: string,
): { readonly obstacle: string | null; readonly cost: string } => {
  const units = typeof rows === 'number' ? rows : null;
  const obstacle =
    sessionObstacle(session) ??
    unitsObstacle(units ?? 0, left) ??
    (units === 0 ? say('There are no rows.') : null) ??
    (folderName.trim() === '' ? say('Enter a name for the folder.') : null);
  return { obstacle, cost: units === null ? say('Costs one unit for each row.') : costOf(units, left) };
};

/** What a preview says about the rows that it compared. */
type Compared = Pick<BatchPreview, 'compared_rows' | 'duplicates' | 'refused_duplicates'>;

/** Returns what was found, and in how many rows. @param rows Those of the whole file. */
export const summaryOf = (
  { compared_rows: compared, duplicates, refused_duplicates: refused }: Compared,
  rows: RowCount,
): string => {
  const isWhole = typeof rows === 'number' && compared >= rows;
  const among = isWhole ? say('the {n} rows', { n: compared }) : say('the first {n} rows', { n: compared });
  const rest = isWhole ? '' : ` ${say('Only these were compared; the batch compares all.')}`;
  if (duplicates === 0) return `${say('None of {among} repeats an earlier one.', { among })}${rest}`;
  const found = say(
    { one: '{n} of {among} repeats an earlier one.', other: '{n} of {among} repeat an earlier one.' },
    { n: duplicates, among },
  );
  if (refused === 0) return `${found}${rest}`;
  const end = say(
    { one: '{n} is refused, so the batch would fail.', other: '{n} are refused, so the batch would fail.' },
    { n: refused },
  );
  return `${found} ${end}${rest}`;
};

/** Which rows are printed again, as a person writes them. */
export interface AskedRows {
  readonly way: 'rows' | 'ids';
  readonly rows: string;
  readonly ids: string;
}

/** Returns the rows of a text such as `300-420` or `12, 15, 31`, or of one id a line; `null`: it cannot be read. */
export const toAsked = ({ way, rows, ids }: AskedRows) => {
  const listed = (text: string, between: RegExp): string[] =>
    text
      .split(between)
      .map((each) => each.trim())
      .filter((each) => each !== '');
  if (way === 'ids') {
    const found = listed(ids, /\n/);
    return found.length > 0 ? { external_ids: found } : null;
  }
  const [, from, to] = /^(\d+)\s*[-–]\s*(\d+)$/.exec(rows.trim()) ?? [];
  if (to !== undefined) return { from: Number(from), to: Number(to) };
  const numbers = listed(rows, /[\s,;]/).map(Number);
  return numbers.length > 0 && numbers.every(Number.isInteger) ? { rows: numbers } : null;
};
