import { number } from '../../../ui/format.ts';
import { Failure } from '../../../ui/states.tsx';
import { outcomesOf } from './calls.ts';
import type { Run } from './use-run.ts';

/** Shows how far an import is. When the import has stopped, it says why and offers to resume. */
export const Progress = ({
  run: { calls, busy, fault },
  onResume,
}: {
  readonly run: Run;
  readonly onResume: () => void;
}) => {
  const all = calls.reduce((sum, { rows, refused }) => sum + rows.length + refused.length, 0);
  const outcomes = outcomesOf(calls);
  const made = outcomes.filter(({ error }) => error === null).length;
  return (
    <section class="card import-progress" aria-labelledby="progress-title">
      <h2 id="progress-title">{busy ? 'Making the codes' : 'Stopped'}</h2>
      <progress max={all} value={outcomes.length} aria-labelledby="progress-title" />
      <p role="status">
        {number(outcomes.length)} of {number(all)} done, {number(made)} made.
        {busy && ' Keep this page open.'}
      </p>
      {fault !== null && (
        <>
          <Failure fault={fault} retry={onResume} />
          <p class="muted">The codes made so far are saved. Trying again makes and charges nothing twice.</p>
        </>
      )}
    </section>
  );
};
