import { useState } from 'preact/hooks';
import { useGet } from '../../../api/query.ts';
import type { Counter } from '../../../api/shapes.ts';
import { Button, Primary } from '../../../ui/buttons.tsx';
import { formatNumber } from '../../../ui/format.ts';
import { Head } from '../../../ui/lists/paged-table.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { BatchTabs } from '../tabs.tsx';
import { Blocks } from './blocks.tsx';
import { CounterDialog } from './dialog.tsx';

/** A dialog would hide the list; a fold keeps it in sight. */
const Row = ({ counter, onRaise }: { readonly counter: Counter; readonly onRaise: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const { name, next } = counter;
  return (
    <>
      <tr>
        <td class="wrap">{name}</td>
        <td class="number" data-name="Next:">
          {formatNumber(next)}
        </td>
        <td class="end">
          <div class="row">
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Numbers<span class="hidden"> of {name}</span>
            </Button>
            <Button onClick={onRaise}>
              Raise<span class="hidden"> {name}</span>
            </Button>
          </div>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={3}>
            <Blocks name={name} />
          </td>
        </tr>
      )}
    </>
  );
};

/** Shows the counters that number the codes of batches: the next number of each, and who was given the others. */
export default function Counters(_: { readonly path: string }) {
  const counters = useGet('/api/v1/counters', {});
  const [edited, edit] = useState<Counter | 'new' | null>(null);
  return (
    <Page title="Counters" actions={<Primary onClick={() => edit('new')}>New counter</Primary>}>
      <BatchTabs at="counters" />
      <Loaded load={counters} what="the counters">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No counters yet.">
              <p>
                A counter numbers the codes of batches, for example as serial numbers. It never gives a number
                twice.
              </p>
            </Empty>
          ) : (
            <Card>
              <table class="table">
                <Head columns={['Counter', 'Next number']} hasActions />
                <tbody>
                  {data.map((counter) => (
                    <Row key={counter.name} counter={counter} onRaise={() => edit(counter)} />
                  ))}
                </tbody>
              </table>
            </Card>
          )
        }
      </Loaded>
      {edited !== null && (
        <CounterDialog counter={edited === 'new' ? null : edited} onClose={() => edit(null)} />
      )}
    </Page>
  );
}
