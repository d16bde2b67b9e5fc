import { BASE, toScreenPath } from '../../../api/client.ts';
import { usePages } from '../../../api/query.ts';
import type { LinkJob } from '../../../api/shapes.ts';
import { ButtonLink, PrimaryLink } from '../../../ui/buttons.tsx';
import { formatMoment, formatNumber } from '../../../ui/format.ts';
import { PagedTable } from '../../../ui/lists.tsx';
import { Page, Tabs } from '../../../ui/page.tsx';
import { Empty, ProgressBar } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { JobChip } from './link-job.tsx';
import { hasEnded, nameOf, shareOf } from './words.ts';

const Row = ({ job }: { readonly job: LinkJob }) => (
  <tr>
    <td>
      <a class="wrap name" href={toScreenPath(`/links/jobs/${job.id}`)}>
        {nameOf(job)}
      </a>
    </td>
    <td>
      <JobChip job={job} />
    </td>
    <td class="number" data-name={say('Links')}>
      {hasEnded(job) ? (
        formatNumber(job.made + job.changed)
      ) : (
        <ProgressBar share={shareOf(job)} label={say('Progress of {name}', { name: nameOf(job) })} />
      )}
    </td>
    <td class="number" data-name={say('Errors')}>
      {formatNumber(job.faults)}
    </td>
    <td class="muted" data-name={say('Sent')}>
      {formatMoment(job.created_at)}
    </td>
  </tr>
);

/** Shows imports and changes of links from files, newest first, and gives all links out. */
export default function LinkJobs(_: { readonly path: string }) {
  const pages = usePages('/api/v1/link-jobs', { query: { limit: 25 } }, (jobs) => jobs.every(hasEnded));
  const begin = <PrimaryLink href={toScreenPath('/links/jobs/new')}>{say('Send a file')}</PrimaryLink>;
  const exportUrl = `${BASE}api/v1/links/export?format=`;
  return (
    <Page
      title={say('Files of links')}
      actions={
        <>
          <ButtonLink href={`${exportUrl}csv`} download="links.csv">
            {say('Export as CSV')}
          </ButtonLink>
          <ButtonLink href={`${exportUrl}ndjson`} download="links.ndjson">
            {say('Export as NDJSON')}
          </ButtonLink>
          {pages.items.length > 0 && begin}
        </>
      }
    >
      <Tabs of="links" />
      <PagedTable
        pages={pages}
        what={say('the jobs')}
        columns={[say('Job'), say('State'), say('Links'), say('Errors'), say('Sent')]}
        hasActions={false}
        empty={
          <Empty title={say('No files were sent yet.')} icon="import" actions={begin}>
            <p>
              {say(
                'Bring short links from Bitly, YOURLS, Kutt, dub, Shlink or a table, or change many, each to its own. Every file is checked first.',
              )}
            </p>
          </Empty>
        }
        row={(job) => <Row key={job.id} job={job} />}
      />
    </Page>
  );
}
