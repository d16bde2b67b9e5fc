import { useState } from 'preact/hooks';
import { api, toScreenPath } from '../../api/client.ts';
import { change, useGet, usePages } from '../../api/query.ts';
import type { Counter } from '../../api/shapes.ts';
import { Button, Primary } from '../../ui/buttons.tsx';
import { Input, NameInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { formatMoment, formatNumber } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Head, More } from '../../ui/lists.tsx';
import { Card, Page, Tabs } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';

const SHOWN = 25;

const Blocks = ({ name }: { readonly name: string }) => {
  const pages = usePages('/api/v1/counters/{name}/blocks', { path: { name }, query: { limit: SHOWN } });
  return (
    <Loaded load={pages} what={say('the numbers')}>
      {() =>
        pages.items.length === 0 ? (
          <p class="muted">{say('No numbers have been given yet.')}</p>
        ) : (
          <>
            <table class="table">
              <Head
                columns={[say('Numbers'), say('Used by'), say('Codes made'), say('Failed'), say('Given')]}
              />
              <tbody>
                {pages.items.map(({ first, last, batch_id, made, failed, at }) => (
                  <tr key={first}>
                    <td>{say('{first} to {last}', { first, last })}</td>
                    <td>
                      {batch_id === null ? (
                        say('Taken')
                      ) : (
                        <a href={toScreenPath(`/batches/${batch_id}`)}>{say('Batch')}</a>
                      )}
                    </td>
                    <td class="number" data-unit={say('made')}>
                      {made === null ? '–' : formatNumber(made)}
                    </td>
                    <td class="number" data-unit={say('failed')}>
                      {failed === null ? '–' : formatNumber(failed)}
                    </td>
                    <td class="muted">{formatMoment(at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <More pages={pages} />
          </>
        )
      }
    </Loaded>
  );
};

interface CounterDialogProps {
  /** `null`: a new one. */
  readonly counter: Counter | null;
  readonly onClose: () => void;
}

/** Makes a counter, or raises one. The service refuses to lower it. */
const CounterDialog = ({ counter, onClose }: CounterDialogProps) => {
  const [{ name, next }, enter, draft] = useDraft(`counter ${counter?.name ?? ''}`, {
    name: counter?.name ?? '',
    next: String(counter?.next ?? 1),
  });
  return (
    <FormDialog
      title={counter === null ? say('New counter') : say('Raise “{name}”', { name: counter.name })}
      action={counter === null ? say('Make the counter') : say('Raise')}
      submit={() =>
        change(
          api.PUT('/api/v1/counters/{name}', { params: { path: { name } }, body: { next: Number(next) } }),
        )
      }
      draft={draft}
      help={say('A number is never given twice, so a counter can be raised but not lowered.')}
      onClose={onClose}
    >
      {(aria) => (
        <>
          {counter === null && (
            <NameInput
              hint={say('letters, digits, “.”, “_” and “-”')}
              required
              maxLength={64}
              value={name}
              onText={(typed) => enter({ name: typed })}
              {...aria}
            />
          )}
          <Input
            label={say('Next number')}
            type="number"
            min={0}
            step={1}
            required
            value={next}
            onText={(typed) => enter({ next: typed })}
            {...aria}
          />
        </>
      )}
    </FormDialog>
  );
};

/** A dialog would hide the list; a fold keeps it in sight. */
const Row = ({ counter, onRaise }: { readonly counter: Counter; readonly onRaise: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const { name, next } = counter;
  return (
    <>
      <tr>
        <td class="wrap">{name}</td>
        <td class="number" data-name={say('Next:')}>
          {formatNumber(next)}
        </td>
        <td class="end">
          <div class="row">
            <Button
              about={say('of {name}', { name })}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {say('Numbers')}
            </Button>
            <Button about={name} onClick={onRaise}>
              {say('Raise')}
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
  const begin = <Primary onClick={() => edit('new')}>{say('New counter')}</Primary>;
  return (
    <Page title={say('Counters')} actions={counters.data?.data.length !== 0 && begin}>
      <Tabs of="batches" />
      <Loaded load={counters} what={say('the counters')}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say('No counters yet.')} icon="batches" actions={begin}>
              <p>
                {say(
                  'A counter numbers the codes of batches, for example as serial numbers. It never gives a number twice.',
                )}
              </p>
            </Empty>
          ) : (
            <Card>
              <table class="table">
                <Head columns={[say('Counter'), say('Next number')]} hasActions />
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
