import { useEffect } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Verification } from '../../api/shapes.ts';
import { BASE } from '../../base.ts';
import { count, moment } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useLoad } from '../../ui/use-load.ts';

const LOOK_EVERY_MS = 1000;

/** Says what came of a verification. */
const resultOf = ({ read, passed, weak, failed, missing }: Verification): string => {
  if (read === passed) return `All ${count(read, 'code')} read.`;
  const parts = [
    [failed, 'not read'],
    [missing, 'without a picture'],
    [weak, 'read when sharp only'],
  ] as const;
  const troubles = parts.filter(([codes]) => codes > 0).map(([codes, what]) => `${codes} ${what}`);
  return `Of ${count(read, 'code')}, ${troubles.join(', ')}.`;
};

const Receipt = ({ folderId, verification }: { folderId: string; verification: Verification }) => {
  const href = `${BASE}api/v1/folders/${folderId}/verifications/${verification.id}/receipt`;
  return (
    <>
      <span>
        {resultOf(verification)} {moment(verification.created_at)}
      </span>
      <a class="button" href={`${href}?format=html`} download={`receipt-${verification.id}.html`}>
        Receipt (HTML)
      </a>
      <a class="button" href={`${href}?format=json`} download={`receipt-${verification.id}.json`}>
        Receipt (JSON)
      </a>
    </>
  );
};

/** Lets a person have all codes of a folder read, and shows how far that is and the last receipt. */
export const Proof = ({ folderId }: { readonly folderId: string }) => {
  const path = { id: folderId };
  const last = useLoad(
    (signal) =>
      ask(api.GET('/api/v1/folders/{id}/verifications', { params: { path, query: { limit: 1 } }, signal })),
    [folderId],
  );
  const { busy, fault, run } = useAction();
  const verification = last.data?.data[0] ?? null;
  const isRunning = verification?.state === 'running';

  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(last.reload, LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isRunning, last.data]);

  const begin = (): Promise<void> =>
    run(async () => {
      await ask(api.POST('/api/v1/folders/{id}/verifications', { params: { path } }));
      last.reload();
    });

  return (
    <section class="row" aria-label="Proof by reading">
      <button type="button" onClick={() => void begin()} disabled={busy || isRunning}>
        Check all codes
      </button>
      {fault && <Failure fault={fault} />}
      {verification !== null && isRunning && (
        <>
          <progress value={verification.read} max={Math.max(1, verification.total)} aria-label="Codes read" />
          <span role="status">
            {verification.read} of {count(verification.total, 'code')} read
          </span>
        </>
      )}
      {verification?.state === 'failed' && (
        <span role="status">The codes could not be drawn. Try again later.</span>
      )}
      {verification?.state === 'done' && <Receipt folderId={folderId} verification={verification} />}
    </section>
  );
};
