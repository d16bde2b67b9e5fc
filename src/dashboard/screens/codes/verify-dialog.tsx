import { useState } from 'preact/hooks';
import { api, BASE } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Verification } from '../../api/shapes.ts';
import { Primary, Quiet, useAction } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { count, formatMoment } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';

const resultOf = ({ read, passed, weak, failed, missing }: Verification): string => {
  if (read === passed) return say({ one: 'The code was read.', other: 'All {n} codes read.' }, { n: read });
  const parts = [
    [failed, say('not read')],
    [missing, say('without a picture')],
    [weak, say('read only when sharp')],
  ] as const;
  const troubles = parts.filter(([codes]) => codes > 0).map(([codes, what]) => `${codes} ${what}`);
  return say('Of {codes}, {troubles}.', {
    codes: count(read, 'code', 'codes'),
    troubles: troubles.join(', '),
  });
};

/** Shows how far a verification is and, when it is done, what came of it with its receipt. */
const Outcome = ({ verification }: { readonly verification: Verification }) => {
  const { id, folder_id: folderId, state, read, total, created_at: at } = verification;
  if (state === 'failed')
    return <span role="status">{say('The codes could not be drawn. Try again later.')}</span>;
  if (state === 'running') {
    return (
      <>
        <progress value={read} max={Math.max(1, total)} aria-label={say('Codes read')} />
        <span role="status">
          {say('{read} of {codes} read', { read, codes: count(total, 'code', 'codes') })}
        </span>
      </>
    );
  }
  const of = folderId === null ? 'code-verifications' : `folders/${folderId}/verifications`;
  const href = `${BASE}api/v1/${of}/${id}/receipt`;
  return (
    <>
      <span role="status">
        {resultOf(verification)} <span class="muted">{formatMoment(at)}</span>
      </span>
      <span class="row">
        <a class="button" href={`${href}?format=html`} download={`receipt-${id}.html`}>
          {say('Receipt (HTML)')}
        </a>
        <a class="button" href={`${href}?format=json`} download={`receipt-${id}.json`}>
          {say('Receipt (JSON)')}
        </a>
      </span>
    </>
  );
};

/**
 * Lets a person have all codes of a folder read. `verify` starts that, unless it `isBusy`. `proof` must be shown: it
 * has the progress of the last verification, or its result with the receipt, and any error.
 */
export const useProof = (folderId: string) => {
  const path = { id: folderId };
  const last = useGet(
    '/api/v1/folders/{id}/verifications',
    { path, query: { limit: 1 } },
    { isOver: ({ data }) => data[0]?.state !== 'running' },
  );
  const { busy, fault, run } = useAction();
  const verification = last.data?.data[0];
  const verify = (): void =>
    void run(() => change(api.POST('/api/v1/folders/{id}/verifications', { params: { path } })));
  const proof = (fault || verification) && (
    <section class="row" aria-label={say('Verification')}>
      {fault && <Failure fault={fault} />}
      {verification && <Outcome verification={verification} />}
    </section>
  );
  return { verify, proof, isBusy: busy || verification?.state === 'running' };
};

const Following = ({ id }: { readonly id: string }) => {
  const { data, error } = useGet(
    '/api/v1/code-verifications/{vid}',
    { path: { vid: id } },
    { isOver: ({ state }) => state !== 'running' },
  );
  return (
    <div class="outcome">
      {error && <Failure fault={error} />}
      {data && <Outcome verification={data} />}
      {data?.state === 'running' && (
        <p class="muted small">{say('It continues if you close this. You will find the receipt here.')}</p>
      )}
    </div>
  );
};

/** Shows the verifications of earlier choices, when there are any. */
const Earlier = () => {
  const { data } = useGet('/api/v1/code-verifications', { query: { limit: 10 } });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <details>
      <summary>{say('Earlier receipts')}</summary>
      <ul class="rows outcomes">
        {data.data.map((verification) => (
          <li key={verification.id} class="outcome">
            <Outcome verification={verification} />
          </li>
        ))}
      </ul>
    </details>
  );
};

interface VerifyDialogProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

/** Lets a person have chosen codes read, shows how far that is and then the receipt. @param ids At most 1,000. */
export const VerifyDialog = ({ ids, onClose }: VerifyDialogProps) => {
  const [begun, setBegun] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const begin = (): Promise<void> =>
    run(async () => {
      const { id } = await change(api.POST('/api/v1/code-verifications', { body: { ids: [...ids] } }));
      setBegun(id);
    });
  return (
    <Dialog title={say('Verify {codes}', { codes: count(ids.length, 'code', 'codes') })} onClose={onClose}>
      <p>
        {say(
          'Two independent readers read every picture: sharp, blurred and small. A signed receipt says what they read. This is free.',
        )}
      </p>
      {begun === null ? <Earlier /> : <Following id={begun} />}
      {fault && <Failure fault={fault} />}
      <div class="row">
        {begun === null && (
          <Primary disabled={busy} onClick={() => void begin()}>
            {say('Verify')}
          </Primary>
        )}
        <Quiet onClick={onClose}>{begun === null ? say('Cancel') : say('Close')}</Quiet>
      </div>
    </Dialog>
  );
};
