import type { Batch } from '../../api/shapes.ts';
import { percent } from '../../ui/format.ts';
import { Card, FigureList } from '../../ui/page.tsx';
import { hasEnded, nameOf, sentenceOf, shareOf, stateOf } from './words.ts';

const LOOKS: Partial<Readonly<Record<Batch['state'], string>>> = {
  done: 'good',
  failed: 'bad',
  cancelled: 'still',
  expired: 'still',
};

/** Names the state of a batch. A dot says that it is still at work. */
export const StateChip = ({ batch }: { readonly batch: Batch }) => (
  <span class={`chip ${hasEnded(batch) ? LOOKS[batch.state] : 'live'}`}>{stateOf(batch)}</span>
);

interface ProgressBarProps {
  readonly share: number | null;
  readonly label: string;
  readonly look?: string;
}

/** Shows a share from 0 to 1 as a bar; `null` as one that moves to and fro. `look` is a class that says how it ended. */
export const ProgressBar = ({ share, label, look = '' }: ProgressBarProps) => (
  <progress class={`bar ${look}`} max={1} aria-label={label} {...(share === null ? {} : { value: share })} />
);

const STEPS = [
  { name: 'Upload', states: ['receiving'] },
  { name: 'Check', states: ['validating'] },
  { name: 'Make', states: ['queued', 'running', 'finishing'] },
] as const;

/** The steps of a batch that has not ended, and which one it is at. */
const Steps = ({ state }: { readonly state: Batch['state'] }) => {
  const at = STEPS.findIndex(({ states }) => (states as readonly string[]).includes(state));
  return (
    <ol class="steps">
      {STEPS.map(({ name }, index) => (
        <li
          key={name}
          class={index < at ? 'past' : ''}
          {...(index === at ? { 'aria-current': 'step' as const } : {})}
        >
          {name}
          {index < at && <span class="hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
};

/** What counts at each state; a number that can only be 0 is left out. */
const figuresOf = (batch: Batch): readonly (readonly [name: string, value: number])[] => {
  const { rows, made, failed, errors, refunded } = batch;
  if (made + failed === 0 && errors > 0)
    return [
      ['Rows', rows],
      ['Rows with errors', errors],
      ['Units used', 0],
    ];
  return [
    ['Rows', rows],
    ['Codes made', made],
    ...(failed > 0 ? [['Rows failed', failed] as const] : []),
    ...(refunded > 0 ? [['Units refunded', refunded] as const] : []),
  ];
};

/** Shows how far a batch is, or how it ended: a headline, a bar, and the counts. */
export const Status = ({ batch }: { readonly batch: Batch }) => {
  const share = shareOf(batch);
  const isVain = hasEnded(batch) && batch.made === 0;
  return (
    <Card class="batch-status">
      {!hasEnded(batch) && <Steps state={batch.state} />}
      <div class="batch-headline">
        {share !== null && !hasEnded(batch) && <strong>{percent(share)}</strong>}
        <span role="status">{sentenceOf(batch)}</span>
      </div>
      {!isVain && (
        <ProgressBar share={share} label={`Progress of ${nameOf(batch)}`} look={LOOKS[batch.state] ?? ''} />
      )}
      <FigureList figures={figuresOf(batch)} />
    </Card>
  );
};
