import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, toScreenPath } from '../../../api/client.ts';
import { change, useGet } from '../../../api/query.ts';
import type { LinkJob } from '../../../api/shapes.ts';
import { Button, Danger, linkTo } from '../../../ui/buttons.tsx';
import { Question } from '../../../ui/form.tsx';
import { count, formatMoment, formatNumber } from '../../../ui/format.ts';
import { Above, Card, FactList, Page } from '../../../ui/page.tsx';
import { Loaded, TaskStatus } from '../../../ui/states.tsx';
import { say, sayWith } from '../../../words/say.ts';
import { RowFaults } from '../../batches/row-faults.tsx';
import { adviceOf, figuresOf, hasEnded, nameOf, sentenceOf, shareOf, stateOf } from './words.ts';

const LIST = '/links/jobs';

const LOOKS: Partial<Readonly<Record<LinkJob['state'], string>>> = {
  done: 'good',
  failed: 'bad',
  cancelled: 'still',
};

/** Names the state of a job. A dot says that it is still at work. */
export const JobChip = ({ job }: { readonly job: LinkJob }) => (
  <span class={`chip ${hasEnded(job) ? LOOKS[job.state] : 'live'}`}>{stateOf(job)}</span>
);

/** Shows how far a job is, or how it ended, with its counts and the first rows with faults. */
export const JobStatus = ({ job }: { readonly job: LinkJob }) => (
  <>
    <TaskStatus
      share={shareOf(job)}
      label={say('Progress of {name}', { name: nameOf(job) })}
      isOver={hasEnded(job)}
      sentence={sentenceOf(job)}
      figures={figuresOf(job)}
    >
      {job.empty_rows > 0 && (
        <p class="muted small">
          {sayWith('{rows} left out, the first is row {firstEmptyRow}.', {
            rows: count(job.empty_rows, 'empty row', 'empty rows'),
            firstEmptyRow: job.first_empty_rows[0],
          })}
        </p>
      )}
    </TaskStatus>
    <RowFaults
      title={count(job.faults, 'row with an error', 'rows with errors')}
      path={`api/v1/link-jobs/${job.id}/faults`}
      file={`link-job-${job.id}-errors.ndjson`}
      total={job.faults}
      advice={adviceOf(job)}
      nameColumn={say('Link')}
    />
  </>
);

/** Reads a job until it has ended. @param id `null`: none yet. */
export const useLinkJob = (id: string | null) =>
  useGet('/api/v1/link-jobs/{id}', { path: { id: id ?? '' } }, { isOver: hasEnded, enabled: id !== null });

const Facts = ({ job }: { readonly job: LinkJob }) => {
  const facts = [
    [say('Sent'), formatMoment(job.created_at)],
    [say('Ended'), job.finished_at && formatMoment(job.finished_at)],
    [say('If a row has an error'), job.all_or_nothing ? say('nothing changes') : say('it is left out')],
    [say('Encoding'), job.encoding],
    [say('Rows'), job.rows > 0 && formatNumber(job.rows)],
    [say('Is listed until'), job.expires_at && formatMoment(job.expires_at)],
  ] as const;
  return (
    <Card title={say('Details')}>
      <FactList facts={facts} />
      {job.undoes !== null && (
        <p>{sayWith('It undoes <link>this job</link>.', { link: linkTo(`${LIST}/${job.undoes}`) })}</p>
      )}
    </Card>
  );
};

const Actions = ({ job }: { readonly job: LinkJob }) => {
  const { route } = useLocation();
  const [open, setOpen] = useState<'cancel' | 'undo' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const params = { path: { id: job.id } };
  return (
    <>
      {job.undoable && <Button onClick={() => setOpen('undo')}>{say('Undo')}</Button>}
      {hasEnded(job) ? (
        <Danger onClick={() => setOpen('delete')}>{say('Delete')}</Danger>
      ) : (
        <Danger onClick={() => setOpen('cancel')}>{say('Cancel')}</Danger>
      )}
      {open === 'cancel' && (
        <Question
          title={say('Cancel this job?')}
          yes={say('Cancel the job')}
          no={say('Keep it running')}
          act={() => change(api.POST('/api/v1/link-jobs/{id}/cancel', { params }))}
          onClose={close}
        >
          <p>
            {job.all_or_nothing
              ? say('What it has changed is brought back.')
              : say('What it has changed stays. The rest of the rows is not handled.')}
          </p>
        </Question>
      )}
      {open === 'undo' && (
        <Question
          title={say('Undo it for {links}?', { links: count(job.changed, 'link', 'links') })}
          yes={say('Undo')}
          no={say('Leave it')}
          act={async () => {
            const { id } = await ask(api.POST('/api/v1/link-jobs/{id}/undo', { params }));
            route(toScreenPath(`${LIST}/${id}`));
          }}
          onClose={close}
        >
          <p>
            {say(
              'Each link leads where it led before, and has the tags that it had. Later changes are overwritten.',
            )}
          </p>
        </Question>
      )}
      {open === 'delete' && (
        <Question
          title={say('Delete this job?')}
          yes={say('Delete the job')}
          no={say('Keep it')}
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/link-jobs/{id}', { params }));
            route(toScreenPath(LIST));
          }}
          onClose={close}
        >
          <p>{say('What it has changed stays, and cannot be undone any more.')}</p>
        </Question>
      )}
    </>
  );
};

/** Shows one link job: its progress, its counts, and the rows with faults. */
export default function LinkJobScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const job = useLinkJob(id);
  const known = job.data;
  return (
    <Page
      key={id}
      title={known ? nameOf(known) : say('Job')}
      above={<Above path={LIST} name={say('Files of links')} />}
      beside={known && <JobChip job={known} />}
      actions={known && <Actions job={known} />}
    >
      <Loaded load={job} what={say('the job')}>
        {(data) => (
          <>
            <JobStatus job={data} />
            <Facts job={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
