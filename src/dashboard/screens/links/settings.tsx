/** What holds for all short links, and the parts that all screens of links share. */
import type { ComponentChildren } from 'preact';
import { api } from '../../api/client.ts';
import { change, type Pages, useGet, usePages } from '../../api/query.ts';
import type { LinkChange } from '../../api/shapes.ts';
import { Button, useAction, useToast } from '../../ui/buttons.tsx';
import { SelectInput, UrlInput, useFollowing } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { formatDuration, formatMoment } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { More } from '../../ui/lists.tsx';
import { Card, Page, Tabs } from '../../ui/page.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { ForwardSetting } from './forward.tsx';
import { faultOfUrl } from './texts.ts';

/**
 * A form that changes one address. `id` prefixes the ids of its parts, and `of` tells apart whose address it is; `actions` stand beside the buttons, and
 * `help`, which says what a change does, below.
 */
export const AddressForm = ({
  id,
  of,
  label,
  url,
  mayBeEmpty = false,
  placeholder,
  actions,
  help,
  onSave,
}: {
  readonly id: string;
  readonly of: string;
  readonly label: string;
  /** The saved address; empty for none. */
  readonly url: string;
  readonly mayBeEmpty?: boolean;
  readonly placeholder?: string;
  readonly actions?: ComponentChildren;
  readonly help: string;
  readonly onSave: (url: string) => Promise<void>;
}) => {
  // The page reads what was saved only some time after that.
  const [saved, noteSaved] = useFollowing(url);
  const [{ text }, change, draft] = useDraft(`${id} of ${of}`, { text: saved });
  const isChanged = text !== saved;
  const beside = (
    <>
      {isChanged && <Button onClick={draft.drop}>{say('Cancel')}</Button>}
      {actions}
    </>
  );
  return (
    <Form
      id={id}
      help={help}
      beside={beside}
      draft={draft}
      action={say('Save')}
      isReady={isChanged}
      problem={isChanged && !(mayBeEmpty && text === '') ? faultOfUrl(text) : null}
      submit={async () => {
        await onSave(text);
        noteSaved(text);
        draft.drop();
      }}
    >
      {(aria) => (
        <UrlInput
          label={label}
          placeholder={placeholder}
          value={text}
          onText={(typed) => change({ text: typed })}
          {...aria}
        />
      )}
    </Form>
  );
};

interface Change {
  readonly at: string;
  readonly key: LinkChange['key'];
}

interface ChangeListProps<T extends Change> {
  readonly title: string;
  readonly pages: Pages & { readonly items: readonly T[] };
  readonly show: (change: T) => ComponentChildren;
  readonly onReturn: (change: T) => Promise<void>;
}

/** Lists earlier states, the present one first. Earlier ones have a button that brings them back. */
export const ChangeList = <T extends Change>({ title, pages, show, onReturn }: ChangeListProps<T>) => {
  const { run, fault, busy } = useAction();
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack">
        {fault && <Failure fault={fault} />}
        <Loaded load={pages} what={say('the history')}>
          {() => (
            <ol class="rows">
              {pages.items.map((change, index) => (
                <li key={`${change.at}${index}`}>
                  <span class="stack flat">
                    {show(change)}
                    <span class="muted small">
                      {say('{moment}, by {who}', {
                        moment: formatMoment(change.at),
                        who:
                          change.key === null
                            ? say('the operator')
                            : say('the key “{name}”', { name: change.key.name }),
                      })}
                    </span>
                  </span>
                  {index === 0 ? (
                    <span class="chip good">{say('Current')}</span>
                  ) : (
                    <Button disabled={busy} onClick={() => void run(() => onReturn(change))}>
                      {say('Use it again')}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )}
        </Loaded>
        <More pages={pages} />
      </div>
    </details>
  );
};

const AGES_S = [0, 60, 300, 3600, 86_400];

/** Says, and changes, for how long browsers may repeat a redirect without asking. */
const MaxAge = ({ ageS }: { readonly ageS: number }) => {
  const toast = useToast();
  const { run, fault, busy } = useAction();
  const [saved, noteSaved] = useFollowing(String(ageS));
  const ages = [...new Set([...AGES_S, Number(saved)])].sort((a, b) => a - b);
  return (
    <>
      <SelectInput
        label={say('Browsers may keep a redirect')}
        value={saved}
        disabled={busy}
        options={ages.map((age) => [String(age), age === 0 ? say('Not at all') : formatDuration(age)])}
        onChoose={(chosen) =>
          void run(async () => {
            await change(api.PATCH('/api/v1/account', { body: { redirect_max_age_s: Number(chosen) } }));
            noteSaved(chosen);
            toast({ text: say('Saved. Visits follow within a second.') });
          })
        }
      />
      {fault && <Failure fault={fault} />}
      <p class="muted small">
        {say(
          'Repeated visits are faster then. They are not counted as scans, and are late to see a change. Links with rules, a limit or a password are never kept.',
        )}
      </p>
    </>
  );
};

const HELP = say(
  'People who scan a deleted code are sent here, and so are those who scan a code before its start or after its end, unless it has an address for that. If this is empty, they see a page that says that the code leads nowhere. These visits are not counted as scans.',
);

/** Shows what holds for all short links of the account: where codes without a destination lead, now and earlier. */
export default function LinkSettings(_: { readonly path: string }) {
  const toast = useToast();
  const account = useGet('/api/v1/account', {});
  const pages = usePages('/api/v1/account/dead-link-history', { query: { limit: 10 } });
  const save = async (url: string | null): Promise<void> => {
    await change(api.PATCH('/api/v1/account', { body: { dead_link_url: url || null } }));
    toast({
      text: url ? say('Saved. These codes lead there now.') : say('Saved. These codes lead nowhere now.'),
    });
  };
  return (
    <Page title={say('Settings of links')}>
      <Tabs of="links" />
      <p class="muted">{say('They hold for the short links of all your dynamic codes.')}</p>
      <Card title={say('Where visits go')}>
        <Loaded load={account} what={say('what is passed on')}>
          {({ forward }) => (
            <ForwardSetting
              forward={forward}
              of="account"
              name=""
              save={async (next) => {
                await change(api.PATCH('/api/v1/account', { body: { forward: next } }));
                toast({ text: say('Saved. Links without a setting of their own follow within a second.') });
              }}
            />
          )}
        </Loaded>
      </Card>
      <Card title={say('Repeated visits')}>
        <Loaded load={account} what={say('the setting')}>
          {({ redirect_max_age_s }) => <MaxAge ageS={redirect_max_age_s} />}
        </Loaded>
      </Card>
      <Card title={say('When a code leads nowhere')}>
        <Loaded load={account} what={say('the address')}>
          {({ dead_link_url }) => (
            <>
              <AddressForm
                id="dead-links"
                of="account"
                label={say('Address for deleted and ended codes')}
                url={dead_link_url ?? ''}
                mayBeEmpty
                placeholder="https://example.com/no-longer-valid"
                help={HELP}
                onSave={save}
              />
              <ChangeList
                title={say('Earlier addresses')}
                pages={pages}
                show={(past) => <span class="wrap">{past.dead_link_url ?? say('No address')}</span>}
                onReturn={(past) => save(past.dead_link_url)}
              />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}
