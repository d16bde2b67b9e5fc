import type { Verification } from '../../api/shapes.ts';
import { BASE } from '../../base.ts';
import { count, moment } from '../../ui/format.ts';

/** Says what came of a verification. */
const resultOf = ({ read, passed, weak, failed, missing }: Verification): string => {
  if (read === passed) return `${read === 1 ? 'The code was' : `All ${count(read, 'code')}`} read.`;
  const parts = [
    [failed, 'not read'],
    [missing, 'without a picture'],
    [weak, 'read when sharp only'],
  ] as const;
  const troubles = parts.filter(([codes]) => codes > 0).map(([codes, what]) => `${codes} ${what}`);
  return `Of ${count(read, 'code')}, ${troubles.join(', ')}.`;
};

/** Shows how far a verification is and, when it is done, what came of it with its receipt. */
export const Outcome = ({ verification }: { readonly verification: Verification }) => {
  const { id, folder_id: folderId, state, read, total, created_at: at } = verification;
  if (state === 'failed') return <span role="status">The codes could not be drawn. Try again later.</span>;
  if (state === 'running') {
    return (
      <>
        <progress value={read} max={Math.max(1, total)} aria-label="Codes read" />
        <span role="status">
          {read} of {count(total, 'code')} read
        </span>
      </>
    );
  }
  const of = folderId === null ? 'code-verifications' : `folders/${folderId}/verifications`;
  const href = `${BASE}api/v1/${of}/${id}/receipt`;
  return (
    <>
      <span role="status">
        {resultOf(verification)} <span class="muted">{moment(at)}</span>
      </span>
      <span class="row">
        <a class="button" href={`${href}?format=html`} download={`receipt-${id}.html`}>
          Receipt (HTML)
        </a>
        <a class="button" href={`${href}?format=json`} download={`receipt-${id}.json`}>
          Receipt (JSON)
        </a>
      </span>
    </>
  );
};
