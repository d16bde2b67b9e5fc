import { useState } from 'preact/hooks';
import { api, BASE, toScreenPath } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Batch } from '../../api/shapes.ts';
import { ButtonLink, Danger, PrimaryLink } from '../../ui/buttons.tsx';
import { Question } from '../../ui/form.tsx';
import { count, formatMoment, formatNumber } from '../../ui/format.ts';
import { Above, Card, FactList, type Figure, Page } from '../../ui/page.tsx';
import { Loaded, TaskStatus } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { Duplicates, Grades, Parts, RowErrors } from './results.tsx';
import { canBeCancelled, canBeSentAgain, hasEnded, nameOf, sentenceOf, shareOf, stateOf } from './words.ts';

const LOOKS: Partial<Readonly<Record<Batch['state'], string>>> = {
  done: 'good',
  failed: 'bad',
};

/** Names the state of a batch. A dot says that it is still at work. */
export const StateChip = ({ batch }: { readonly batch: Batch }) => (
  <span class={`chip ${hasEnded(batch) ? (LOOKS[batch.state] ?? '') : 'live'}`}>{stateOf(batch)}</span>
);

/** Whether a batch was refused for its rows, of which a card of its own says all. */
const isRefused = ({ state, made, failed, errors }: Batch): boolean =>
  state === 'failed' && made + failed === 0 && errors > 0;

/** States whose sentence says how many rows there are. */
const COUNTED: readonly Batch['state'][] = ['receiving', 'validating', 'done'];

/** What counts at each state; what the sentence says, and a number that can only be 0, is left out. */
const figuresOf = (batch: Batch): readonly Figure[] => {
  const { state, rows, made, failed, refunded } = batch;
  const isSaid = COUNTED.includes(state) || (hasEnded(batch) && made + failed === 0);
  const counts: readonly Figure[] = [
    [say('Rows'), rows],
    [say('Codes made'), made],
    ...(failed > 0 ? [[say('Rows failed'), failed] as const] : []),
  ];
  return [...(isSaid ? [] : counts), ...(refunded > 0 ? [[say('Units refunded'), refunded] as const] : [])];
};

const Facts = ({ batch }: { readonly batch: Batch }) => {
  const facts = [
    [say('Rows'), isRefused(batch) && formatNumber(batch.rows)],
    [say('Sent'), formatMoment(batch.created_at)],
    [say('Ended'), batch.finished_at && formatMoment(batch.finished_at)],
    [say('Formats'), batch.formats.join(', ').toUpperCase()],
    [say('Encoding'), batch.encoding],
    [
      say('Empty rows left out'),
      batch.empty_rows > 0 &&
        say('{rows}, the first is row {first}', { rows: batch.empty_rows, first: batch.first_empty_rows[0] }),
    ],
    [say('A row that fails'), batch.on_error === 'stop' ? say('ends the batch') : say('is left out')],
    [
      batch.state === 'expired' ? say('Files were kept until') : say('Files are kept until'),
      hasEnded(batch) && batch.made > 0 && formatMoment(batch.expires_at),
    ],
  ] as const;
  return <FactList facts={facts} />;
};

const Actions = ({ batch, onCancel }: { readonly batch: Batch; readonly onCancel: () => void }) => (
  <>
    {batch.folder_id !== null && (
      <ButtonLink href={toScreenPath(`/folders/${batch.folder_id}`)}>{say('Open folder')}</ButtonLink>
    )}
    {canBeSentAgain(batch) && (
      <PrimaryLink href={toScreenPath(`/table?batch=${batch.id}`)}>
        {batch.made === 0 ? say('Correct and send again') : say('Correct the failed rows')}
      </PrimaryLink>
    )}
    {hasEnded(batch) && (
      <ButtonLink href={`${BASE}api/v1/batches/${batch.id}/report`} download={`${nameOf(batch)} report.json`}>
        {say('Report')}
      </ButtonLink>
    )}
    {canBeCancelled(batch) && <Danger onClick={onCancel}>{say('Cancel')}</Danger>}
  </>
);

interface CancelDialogProps {
  readonly batch: Batch;
  readonly onClose: () => void;
}

/** Asks whether a batch is to be cancelled, says what that costs, and cancels it. */
const CancelDialog = ({ batch: { id, rows, made, failed }, onClose }: CancelDialogProps) => (
  <Question
    title={say('Cancel this batch?')}
    yes={say('Cancel the batch')}
    no={say('Keep it running')}
    act={() => change(api.POST('/api/v1/batches/{id}/cancel', { params: { path: { id } } }))}
    onClose={onClose}
  >
    <p>
      {made > 0
        ? say('The {codes} made so far stay in their folder and are charged.', {
            codes: count(made, 'code', 'codes'),
          })
        : say('No code has been made yet.')}{' '}
      {say(
        'Codes in progress are still made; the rest of the {rows} costs nothing. A cancelled batch cannot be continued.',
        { rows: count(rows - made - failed, 'open row', 'open rows') },
      )}
    </p>
  </Question>
);

/** Shows one batch: its progress, its files as they are made, its grades, and the rows that failed. */
export default function BatchScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const [isCancelling, setCancelling] = useState(false);
  const batch = useGet('/api/v1/batches/{id}', { path: { id } }, { isOver: hasEnded });
  const known = batch.data;
  return (
    <Page
      title={known ? nameOf(known) : say('Batch')}
      above={<Above path="/batches" name={say('Batches')} />}
      beside={
        known && (
          <>
            <StateChip batch={known} />
            {known.made > 0 && <a href={toScreenPath(`/scans?batch=${id}`)}>{say('Scans')}</a>}
          </>
        )
      }
      actions={known && <Actions batch={known} onCancel={() => setCancelling(true)} />}
    >
      <Loaded load={batch} what={say('the batch')}>
        {(data) => (
          <>
            {!isRefused(data) && (
              <TaskStatus
                share={shareOf(data)}
                label={say('Progress of {name}', { name: nameOf(data) })}
                isOver={hasEnded(data)}
                sentence={sentenceOf(data)}
                figures={figuresOf(data)}
              />
            )}
            <Parts batch={data} />
            <Duplicates batch={data} />
            {data.made === 0 && <RowErrors batch={data} />}
            <div class={data.made > 0 ? 'grid level' : ''}>
              {data.made > 0 && <Grades grades={data.grades} />}
              <Card title={say('Details')}>
                <Facts batch={data} />
              </Card>
            </div>
            {data.made > 0 && <RowErrors batch={data} />}
          </>
        )}
      </Loaded>
      {isCancelling && known && <CancelDialog batch={known} onClose={() => setCancelling(false)} />}
    </Page>
  );
}
