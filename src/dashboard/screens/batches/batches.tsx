import { toScreenPath } from '../../api/client.ts';
import { usePages } from '../../api/query.ts';
import type { Batch } from '../../api/shapes.ts';
import { PrimaryLink } from '../../ui/buttons.tsx';
import { formatMoment, formatNumber, percent } from '../../ui/format.ts';
import { PagedTable } from '../../ui/lists.tsx';
import { Dots, Page, Tabs } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/states.tsx';
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
        facts={[
          `${formatNumber(made)} of ${formatNumber(rows)}`,
          failed > 0 && `${formatNumber(failed)} failed`,
        ]}
      />
    );
  return (
    <span class="batch-share">
      <ProgressBar share={share} label={`Progress of ${nameOf(batch)}`} />
      <Dots
        facts={
          share === null
            ? [formatNumber(rows)]
            : [`${formatNumber(made + failed)} of ${formatNumber(rows)}`, percent(share)]
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
    <td class="number" data-unit={hasEnded(batch) ? 'codes' : undefined}>
      <Codes batch={batch} />
    </td>
    <td class="muted">{batch.formats.join(', ').toUpperCase()}</td>
    <td class="muted" data-name="Sent">
      {formatMoment(batch.created_at)}
    </td>
  </tr>
);

const Nothing = () => (
  <section class="invitation">
    <svg viewBox="0 0 48 48" aria-hidden="true">
      <path d="M8 12h22v28H8zM14 8h22v28M20 4h22v28" />
    </svg>
    <h2>Make thousands of codes from one file</h2>
    <p class="muted">
      Send a spreadsheet or a CSV file with up to a million rows. Tessera checks every row before it charges
      anything, makes the codes while you do something else, and keeps them ready as ZIP files.
    </p>
    <PrimaryLink href={toScreenPath('/table')}>Send a table</PrimaryLink>
  </section>
);

/** Shows all batches of the account, newest first, with their progress. */
export default function Batches(_: { readonly path: string }) {
  const pages = usePages('/api/v1/batches', { query: { limit: SHOWN } }, (batches) =>
    batches.every(hasEnded),
  );
  return (
    <Page
      title="Batches"
      actions={
        pages.items.length > 0 && <PrimaryLink href={toScreenPath('/table')}>Send a table</PrimaryLink>
      }
    >
      <Tabs of="batches" />
      <PagedTable
        pages={pages}
        what="batches"
        columns={['Folder', 'State', 'Codes', 'Formats', 'Sent']}
        hasActions={false}
        empty={<Nothing />}
        row={(batch) => <Row key={batch.id} batch={batch} />}
      />
    </Page>
  );
}
