import { toScreenPath } from '../../api/client.ts';
import { usePages } from '../../api/query.ts';
import type { Batch } from '../../api/shapes.ts';
import { PrimaryLink } from '../../ui/buttons.tsx';
import { formatMoment, formatNumber, percent } from '../../ui/format.ts';
import { PagedTable } from '../../ui/lists.tsx';
import { Dots, Page, Tabs } from '../../ui/page.tsx';
import { Empty, ProgressBar } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { StateChip } from './batch.tsx';
import { hasEnded, nameOf, shareOf } from './words.ts';

const SHOWN = 25;

/** Says how many codes there are, and how many there will be. */
const Codes = ({ batch }: { readonly batch: Batch }) => {
  const { rows, made, failed } = batch;
  const share = shareOf(batch);
  if (hasEnded(batch))
    return (
      <Dots
        facts={[say('{made} of {rows}', { made, rows }), failed > 0 && say('{failed} failed', { failed })]}
      />
    );
  return (
    <span class="batch-share">
      <ProgressBar share={share} label={say('Progress of {name}', { name: nameOf(batch) })} />
      <Dots
        facts={
          share === null
            ? [formatNumber(rows)]
            : [say('{made} of {rows}', { made: made + failed, rows }), percent(share)]
        }
      />
    </span>
  );
};

const Row = ({ batch }: { readonly batch: Batch }) => (
  <tr>
    <td>
      <a class="wrap name" href={toScreenPath(`/batches/${batch.id}`)}>
        {nameOf(batch)}
      </a>
    </td>
    <td>
      <StateChip batch={batch} />
    </td>
    <td class="number" data-unit={hasEnded(batch) ? say('codes') : undefined}>
      <Codes batch={batch} />
    </td>
    <td class="muted">{batch.formats.join(', ').toUpperCase()}</td>
    <td class="muted" data-name={say('Sent')}>
      {formatMoment(batch.created_at)}
    </td>
  </tr>
);

const BEGIN = <PrimaryLink href={toScreenPath('/table')}>{say('New batch')}</PrimaryLink>;

const NOTHING = (
  <Empty title={say('Make thousands of codes from one file')} icon="batches" actions={BEGIN}>
    <p>
      {say(
        'A batch makes a code of each row of a spreadsheet or CSV file, up to a million. Tessera checks every row before it charges anything, makes the codes while you do something else, and keeps them ready as ZIP files.',
      )}
    </p>
  </Empty>
);

/** Shows all batches of the account, newest first, with their progress. */
export default function Batches(_: { readonly path: string }) {
  const pages = usePages('/api/v1/batches', { query: { limit: SHOWN } }, (batches) =>
    batches.every(hasEnded),
  );
  return (
    <Page title={say('Batches')} actions={pages.items.length > 0 && BEGIN}>
      <Tabs of="batches" />
      <PagedTable
        pages={pages}
        what={say('batches')}
        columns={[say('Folder'), say('State'), say('Codes'), say('Formats'), say('Sent')]}
        hasActions={false}
        empty={NOTHING}
        row={(batch) => <Row key={batch.id} batch={batch} />}
      />
    </Page>
  );
}
