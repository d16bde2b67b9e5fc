import { useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import type { Batch as BatchBody } from '../api/shapes.ts';
import { BASE, screen } from '../base.ts';
import { moment } from '../ui/format.ts';
import { Above, Card, Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { useWatch } from '../ui/use-watch.ts';
import { CancelDialog } from './batches/cancel-dialog.tsx';
import { RowErrors } from './batches/errors.tsx';
import { Grades } from './batches/grades.tsx';
import { Parts } from './batches/parts.tsx';
import { StateChip } from './batches/state-chip.tsx';
import { Status } from './batches/status.tsx';
import { canBeCancelled, hasEnded, nameOf } from './batches/words.ts';

const Facts = ({ batch }: { readonly batch: BatchBody }) => (
  <dl class="facts across">
    <div>
      <dt>Sent</dt>
      <dd>{moment(batch.created_at)}</dd>
    </div>
    {batch.finished_at !== null && (
      <div>
        <dt>Ended</dt>
        <dd>{moment(batch.finished_at)}</dd>
      </div>
    )}
    <div>
      <dt>Formats</dt>
      <dd>{batch.formats.join(', ').toUpperCase()}</dd>
    </div>
    <div>
      <dt>A row that fails</dt>
      <dd>{batch.on_error === 'stop' ? 'ends the batch' : 'is left out'}</dd>
    </div>
    {hasEnded(batch) && batch.made > 0 && (
      <div>
        <dt>{batch.state === 'expired' ? 'Files were kept until' : 'Files are kept until'}</dt>
        <dd>{moment(batch.expires_at)}</dd>
      </div>
    )}
  </dl>
);

const Actions = ({ batch, onCancel }: { readonly batch: BatchBody; readonly onCancel: () => void }) => (
  <>
    {batch.folder_id !== null && (
      <a class="button" href={screen(`/folders/${batch.folder_id}`)}>
        Open folder
      </a>
    )}
    {hasEnded(batch) && (
      <a
        class="button"
        href={`${BASE}api/v1/batches/${batch.id}/report`}
        download={`batch-${batch.id}-report.json`}
      >
        Report
      </a>
    )}
    {canBeCancelled(batch) && (
      <button type="button" class="danger" onClick={onCancel}>
        Cancel
      </button>
    )}
  </>
);

/** Shows one batch: how far it is, its files as they come, its grades, and the rows that failed. */
export default function Batch({ id = '' }: { readonly id?: string; readonly path: string }) {
  const [isCancelling, setCancelling] = useState(false);
  const batch = useWatch(
    (signal) => ask(api.GET('/api/v1/batches/{id}', { params: { path: { id } }, signal })),
    [id],
    hasEnded,
  );
  const known = batch.data;
  return (
    <Page
      title={known === null ? 'Batch' : nameOf(known)}
      above={<Above path="/batches" name="Batches" />}
      beside={known && <StateChip batch={known} />}
      actions={known && <Actions batch={known} onCancel={() => setCancelling(true)} />}
    >
      <Loaded load={batch} what="the batch">
        {(data) => (
          <>
            <Status batch={data} />
            <Parts batch={data} />
            {data.made === 0 && <RowErrors batch={data} />}
            <div class={data.made > 0 ? 'grid level' : ''}>
              {data.made > 0 && <Grades grades={data.grades} />}
              <Card title="Details">
                <Facts batch={data} />
              </Card>
            </div>
            {data.made > 0 && <RowErrors batch={data} />}
          </>
        )}
      </Loaded>
      {isCancelling && known && (
        <CancelDialog batch={known} onCancelled={batch.reload} onClose={() => setCancelling(false)} />
      )}
    </Page>
  );
}
