import type { DuplicateRule } from '../../../../duplicates/rules.ts';
import { formatNumber } from '../../../ui/format.ts';
import { type Options, SelectInput } from '../../../ui/forms/choice.tsx';
import { Card } from '../../../ui/page.tsx';
import type { useRows } from '../content/rows-of-file.tsx';
import type { ComposedRows } from '../content/use-composed.ts';
import type { RowCount } from './count-rows.ts';
import { linesOf, summaryOf } from './repeats.ts';

const RULES: Options<DuplicateRule> = [
  ['refuse-keys', 'Refuse repeated GS1 keys of single things and values that must be unique'],
  ['refuse', 'Refuse all'],
  ['report', 'Only report them'],
];
const SHOWN = 10;

/** Says which of the first rows repeat an earlier one. */
const Found = ({ of, rows }: { readonly of: ComposedRows; readonly rows: RowCount }) => {
  const { compared, compareFault } = of;
  const isKnown = compared !== null && compared.compared_rows > 0;
  const lines = isKnown ? linesOf(compared, SHOWN) : [];
  return (
    <>
      <p class="muted small" role="status">
        {isKnown ? summaryOf(compared, rows) : 'The rows are compared when the batch is checked.'}
        {compareFault !== null && ` They could not be compared before: ${compareFault}`}
      </p>
      {lines.length > 0 && (
        <ul class="stack small" aria-label="Rows that repeat an earlier one">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
          {isKnown && compared.duplicates > lines.length && (
            <li>… and {formatNumber(compared.duplicates - lines.length)} more</li>
          )}
        </ul>
      )}
    </>
  );
};

interface RepeatsCardProps {
  readonly of: ReturnType<typeof useRows>;
  readonly rows: RowCount;
}

/** Asks what happens to rows that repeat an earlier one, and names the first ones. */
export const RepeatsCard = ({ of, rows }: RepeatsCardProps) => {
  const { repeats, setRepeats, uniqueChoices, composed } = of;
  return (
    <Card title="Repeated rows">
      <SelectInput
        label="Rows that repeat an earlier one"
        value={repeats.rule}
        options={RULES}
        onChoose={(rule) => setRepeats({ ...repeats, rule })}
      />
      {uniqueChoices.length > 0 && (
        <SelectInput
          label="Every row needs a value of its own in"
          value={repeats.unique}
          options={[['', 'No column'], ...uniqueChoices]}
          onChoose={(unique) => setRepeats({ ...repeats, unique })}
        />
      )}
      <Found of={composed} rows={rows} />
    </Card>
  );
};
