/** The states of a batch in words. */
import type { Batch } from '../../api/shapes.ts';
import { count, formatDuration, formatNumber } from '../../ui/format.ts';

const NAMES: Readonly<Record<Batch['state'], string>> = {
  receiving: 'Uploading',
  validating: 'Checking',
  queued: 'Waiting',
  running: 'Making',
  finishing: 'Finishing',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

/** Returns the name of the state. */
export const stateOf = ({ state }: Pick<Batch, 'state'>): string => NAMES[state];

/** Whether the batch has ended, so that nothing of it changes. */
export const hasEnded = ({ finished_at: finishedAt }: Pick<Batch, 'finished_at'>): boolean =>
  finishedAt !== null;

/** Whether it can still be cancelled. */
export const canBeCancelled = ({ state }: Pick<Batch, 'state'>): boolean =>
  state === 'validating' || state === 'queued' || state === 'running';

/**
 * Returns the share of the rows that are done; `null` while their number is not known, or while they are being
 * validated.
 */
export const shareOf = ({ state, rows, made, failed }: Batch): number | null => {
  if (state === 'receiving' || state === 'validating') return null;
  return rows === 0 ? 0 : (made + failed) / rows;
};

/** Returns what the batch is called: the name of its folder. */
export const nameOf = ({ folder_name: name }: Pick<Batch, 'folder_name'>): string => name ?? 'Batch';

/** Returns a name for the folder of a file's codes: that of the file, without its endings, and the day. */
export const folderNameOf = (fileName: string): string => {
  const name = fileName.replace(/(\.[a-z]{2,6})(\.gz)?$/i, '').trim();
  return `${name === '' ? 'Batch' : name.slice(0, 180)} ${new Date().toISOString().slice(0, 10)}`;
};

/** Returns how long the codes of a batch that has ended took; `null` when none was begun. */
const tookS = ({ started_at: started, finished_at: finished }: Batch): number | null =>
  started === null || finished === null ? null : (Date.parse(finished) - Date.parse(started)) / 1000;

const afterDone = (batch: Batch): string => {
  const seconds = tookS(batch);
  const time = seconds === null ? '' : ` in ${formatDuration(seconds)}`;
  return batch.failed === 0
    ? `All ${count(batch.made, 'code')} were made${time}.`
    : `${count(batch.made, 'code')} made${time}, ${count(batch.failed, 'row')} failed.`;
};

/** Says in a sentence where the batch stands. */
export const sentenceOf = (batch: Batch): string => {
  const { state, rows, position, remaining_s: remainingS, reason } = batch;
  if (state === 'receiving')
    return rows === 0 ? 'Receiving the file.' : `${count(rows, 'row')} received so far.`;
  if (state === 'validating')
    return `All ${formatNumber(rows)} rows are checked first. Nothing is charged unless all are correct.`;
  if (state === 'queued')
    return position === null || position === 0
      ? 'It is next.'
      : `Waiting for ${count(position, 'other batch', 'other batches')}.`;
  if (state === 'running')
    return remainingS === null ? 'Making the first codes.' : `About ${formatDuration(remainingS)} left.`;
  if (state === 'finishing') return 'Writing the last files.';
  return state === 'done' ? afterDone(batch) : (reason ?? '');
};
