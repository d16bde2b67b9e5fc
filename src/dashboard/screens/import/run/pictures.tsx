import { useState } from 'preact/hooks';
import { number } from '../../../ui/format.ts';
import type { Outcome } from './calls.ts';

const STEP = 24;

const nameOf = ({ row }: Outcome): string => row.file ?? `row-${row.number}`;

/** Shows the finished codes. Each can be downloaded under the file name of its row. */
export const Pictures = ({ outcomes }: { readonly outcomes: readonly Outcome[] }) => {
  const [shown, setShown] = useState(STEP);
  return (
    <section class="card" aria-labelledby="pictures-title">
      <h2 id="pictures-title">Pictures</h2>
      <ul class="pictures">
        {outcomes.slice(0, shown).map((outcome) => (
          <li key={outcome.row.number}>
            <a href={outcome.picture ?? ''} download={`${nameOf(outcome)}.png`}>
              <img src={outcome.picture ?? ''} alt="" width={96} height={96} loading="lazy" />
              <span>{nameOf(outcome)}</span>
            </a>
            <span class="muted">{String(outcome.row.item.data)}</span>
            {outcome.grade !== null && outcome.grade < 4 && (
              <span class="muted">Grade {outcome.grade} of 4</span>
            )}
          </li>
        ))}
      </ul>
      {outcomes.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, outcomes.length - shown)} more of {number(outcomes.length)}
        </button>
      )}
    </section>
  );
};
