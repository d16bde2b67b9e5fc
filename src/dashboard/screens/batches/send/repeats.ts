/** What the page says about rows that repeat an earlier one. */
import { tellDuplicate } from '../../../../duplicates/rules.ts';
import type { BatchPreview } from '../../../api/shapes.ts';
import { count, formatNumber } from '../../../ui/format.ts';
import type { RowCount } from './file.ts';

/** What a preview says about the rows that it compared. */
type Compared = Pick<
  BatchPreview,
  'compared_rows' | 'duplicates' | 'refused_duplicates' | 'first_duplicates'
>;

/** Returns what was found, and in how many rows. @param rows Those of the whole file. */
export const summaryOf = (
  { compared_rows: compared, duplicates, refused_duplicates: refused }: Compared,
  rows: RowCount,
): string => {
  const isWhole = typeof rows === 'number' && compared >= rows;
  const among = `the ${isWhole ? '' : 'first '}${formatNumber(compared)} rows`;
  const rest = isWhole ? '' : ' Only these were compared; the batch compares all.';
  if (duplicates === 0) return `None of ${among} repeats an earlier one.${rest}`;
  const end = refused === 0 ? '' : ` ${count(refused, 'is', 'are')} refused, so the batch would fail.`;
  return `${formatNumber(duplicates)} of ${among} ${duplicates === 1 ? 'repeats' : 'repeat'} an earlier one.${end}${rest}`;
};

/** Names the first rows that repeat an earlier one. */
export const linesOf = ({ first_duplicates: first }: Compared, max: number): readonly string[] =>
  first
    .slice(0, max)
    .map(
      ({ file_row, first_file_row: firstFileRow, kind, refused }) =>
        `Row ${file_row} ${tellDuplicate({ firstFileRow, kind })}${refused ? ' (refused)' : ''}`,
    );
