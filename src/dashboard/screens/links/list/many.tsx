/** What is done with many short links at once: with those that are selected, or with all that the list is asked for. */
import { useState } from 'preact/hooks';
import { api, ask } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import type { Link, LinkPage } from '../../../api/shapes.ts';
import { Button, Danger, linkTo, Quiet } from '../../../ui/buttons.tsx';
import { Dialog } from '../../../ui/form.tsx';
import { count, formatNumber } from '../../../ui/format.ts';
import { Loaded } from '../../../ui/states.tsx';
import { say, sayWith } from '../../../words/say.ts';
import type { useDeletion } from '../../codes/edit.tsx';
import { MoveCodes } from '../../codes/move.tsx';
import { TagsDialog } from '../../codes/tags.tsx';
import { EditMany } from '../edit-many.tsx';
import type { queryOf } from './filters.tsx';
import { ReplaceInMany } from './replace.tsx';

type Query = ReturnType<typeof queryOf>;

/** Links of the page, or a query that finds them. */
export type Chosen = { readonly links: readonly Link[] } | { readonly matching: Query };

/** What one call for codes takes. */
const CODES_MAX = 1000;
/** Links that are read to be changed together. A file can change more. */
const READ_MAX = 20_000;

/** Returns the links of a query; `null` when they are too many. @throws {Fault} */
const readAll = async (query: Query, signal: AbortSignal): Promise<readonly Link[] | null> => {
  const found: Link[] = [];
  let cursor: string | null = null;
  do {
    const asked: Query & { cursor?: string } = { ...query, ...(cursor !== null && { cursor }) };
    const params = { query: { ...asked, limit: 100 } };
    const page: LinkPage = await ask(api.GET('/api/v1/links', { params, signal }));
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && found.length <= READ_MAX);
  return cursor === null ? found : null;
};

const ACTIONS = { edit: EditMany, replace: ReplaceInMany } as const;

interface AskedProps {
  readonly action: keyof typeof ACTIONS;
  readonly onClose: () => void;
}

/** Reads the links of a query before it asks what to change. */
const AskOfAll = ({ matching, action, onClose }: AskedProps & { readonly matching: Query }) => {
  const Action = ACTIONS[action];
  const load = useRead([say('all links'), matching], (signal) => readAll(matching, signal), ONCE);
  if (load.data) return <Action links={load.data} onClose={onClose} />;
  return (
    <Dialog title={say('All links that match')} onClose={onClose}>
      <Loaded load={load} what={say('the links')}>
        {() => (
          <p>
            {sayWith(
              'These are more than {readMax}. Choose fewer, or export all links and <link>send a file</link> that changes them.',
              { readMax: READ_MAX, link: linkTo('/links/jobs/new') },
            )}
          </p>
        )}
      </Loaded>
    </Dialog>
  );
};

const Ask = ({ chosen, action, onClose }: AskedProps & { readonly chosen: Chosen }) => {
  const Action = ACTIONS[action];
  return 'links' in chosen ? (
    <Action links={chosen.links} onClose={onClose} />
  ) : (
    <AskOfAll matching={chosen.matching} action={action} onClose={onClose} />
  );
};

interface ManyLinksProps {
  readonly chosen: Chosen;
  /** Chooses all that match; `null`: those that are shown are all. */
  readonly onAll: (() => void) | null;
  readonly onDelete: (thing: Parameters<ReturnType<typeof useDeletion>['remove']>[0]) => void;
  readonly onClear: () => void;
}

export const ManyLinks = ({ chosen, onAll, onDelete, onClear }: ManyLinksProps) => {
  const [action, setAction] = useState<AskedProps['action'] | 'move' | 'tags' | null>(null);
  const links = 'links' in chosen ? chosen.links : null;
  const ids = links?.map(({ code_id: id }) => id) ?? [];
  const isOfCodes = ids.length > 0 && ids.length <= CODES_MAX;
  const close = (): void => setAction(null);
  return (
    <section class="selection" aria-label={say('Selected links')}>
      <div class="row">
        <p role="status">
          {links === null ? (
            <strong>{say('All that match')}</strong>
          ) : (
            sayWith('{n} selected', { n: <strong>{formatNumber(links.length)}</strong> })
          )}
        </p>
        {onAll && <Quiet onClick={onAll}>{say('Select all that match')}</Quiet>}
        <Quiet onClick={onClear}>{say('Clear')}</Quiet>
      </div>
      <div class="row actions">
        <Button onClick={() => setAction('edit')}>{say('Change')}</Button>
        <Button onClick={() => setAction('replace')}>{say('Find and replace')}</Button>
        <Button disabled={!isOfCodes} onClick={() => setAction('move')}>
          {say('Move')}
        </Button>
        <Button disabled={!isOfCodes} onClick={() => setAction('tags')}>
          {say('Change tags')}
        </Button>
        <Danger
          disabled={!isOfCodes}
          onClick={() => onDelete({ kind: 'codes', ids, what: count(ids.length, 'link', 'links') })}
        >
          {say('Delete')}
        </Danger>
      </div>
      {!isOfCodes && (
        <p class="muted small">
          {say(
            'Links are moved, tagged and deleted together when they are chosen in the list, at most {n}.',
            {
              n: CODES_MAX,
            },
          )}
        </p>
      )}
      {action === 'move' && <MoveCodes ids={ids} onMoved={onClear} onClose={close} />}
      {action === 'tags' && (
        <TagsDialog
          rows={links?.map(({ code_id: id, tags }) => ({ id, tags })) ?? []}
          what={(n) => count(n, 'link', 'links')}
          onTagged={onClear}
          onClose={close}
        />
      )}
      {(action === 'edit' || action === 'replace') && <Ask chosen={chosen} action={action} onClose={close} />}
    </section>
  );
};
