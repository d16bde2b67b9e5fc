import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, ifMatch, toScreenPath } from '../../../api/client.ts';
import { change, show, useGet, usePages } from '../../../api/query.ts';
import type { Rule, RuleSetWithLinks } from '../../../api/shapes.ts';
import { Button, Danger, useUndoable } from '../../../ui/buttons.tsx';
import { NameDialog, Question } from '../../../ui/form.tsx';
import { count } from '../../../ui/format.ts';
import { Above, Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { FolderDialog } from '../../codes/folder-choice.tsx';
import { useChangedLinks } from '../save-link.ts';
import { ChangeList } from '../settings.tsx';
import { RuleCard } from './rule-card.tsx';
import { conditionsInWords } from './texts.ts';

const LIST = '/links/rule-sets';

const paramsOf = (set: Pick<RuleSetWithLinks, 'id' | 'etag'>) => ({
  path: { id: set.id },
  header: ifMatch(set),
});

/** What a change of a set left behind, and the rules that it had before. */
interface Changed {
  readonly set: RuleSetWithLinks;
  readonly before: Rule[];
}

/** Changes the rules of a set, and offers to undo that. A change that reaches links is counted and asked for first. */
const useRuleChange = (set: RuleSetWithLinks) => {
  const [asked, setAsked] = useState<{ readonly rules: Rule[]; readonly links: number } | null>(null);
  const put = async (at: Pick<RuleSetWithLinks, 'id' | 'etag'>, rules: Rule[]) => {
    const saved = await change(
      api.PATCH('/api/v1/rule-sets/{id}', { params: paramsOf(at), body: { rules } }),
    );
    show('/api/v1/rule-sets/{id}', { path: { id: at.id } }, saved);
    return saved;
  };
  const tell = useUndoable<Changed>(say('The set has its earlier rules.'), ({ set: left, before }) =>
    put(left, before),
  );
  const commit = async (rules: Rule[]): Promise<void> => {
    const left = await put(set, rules);
    tell(say('Saved. {links} changed.', { links: count(left.links, 'short link', 'short links') }), {
      set: left,
      before: set.rules,
    });
  };
  const save = async (rules: Rule[]): Promise<void> => {
    const params = { ...paramsOf(set), query: { dry_run: true } };
    const { links } = await ask(api.PATCH('/api/v1/rule-sets/{id}', { params, body: { rules } }));
    if (links === 0) await commit(rules);
    else setAsked({ rules, links });
  };
  const question = asked && (
    <Question
      title={say('Change {links}?', { links: count(asked.links, 'short link', 'short links') })}
      yes={say('Change them')}
      no={say('Leave them as they are')}
      act={() => commit(asked.rules)}
      onClose={() => setAsked(null)}
    >
      <p>{say('All short links that have this set follow its new rules within a second.')}</p>
    </Question>
  );
  return { save, question };
};

interface PartProps {
  readonly set: RuleSetWithLinks;
}

/** Shows the rules of a set, changes them, and shows what they were before. */
const SetRules = ({ set }: PartProps) => {
  const { save, question } = useRuleChange(set);
  const history = usePages('/api/v1/rule-sets/{id}/history', {
    path: { id: set.id },
    query: { limit: 10 },
  });
  return (
    <>
      <RuleCard of={set.id} rules={set.rules} mayBeEmpty={false} save={save}>
        <ChangeList
          title={say('History')}
          pages={history}
          show={(past) => (
            <>
              <span class="wrap">{past.name}</span>
              {past.rules.map(({ name, when, destination }) => (
                <span key={name} class="wrap small">
                  {name}: {conditionsInWords(when).join(', ')} → {destination}
                </span>
              ))}
            </>
          )}
          onReturn={(past) => save(past.rules)}
        />
      </RuleCard>
      {question}
    </>
  );
};

/** Gives the set to all short links of a folder, at most as many as one call changes. It offers to undo that. */
const GiveToFolder = ({ set: { id, name }, onClose }: PartProps & { readonly onClose: () => void }) => {
  const tell = useChangedLinks();
  const give = async (folderId: string): Promise<void> => {
    const body = { folder_id: folderId, change: { rule_set_id: id } };
    tell(await change(api.PATCH('/api/v1/links', { body })));
  };
  return (
    <FolderDialog
      title={say('Give “{name}” to a folder', { name })}
      action={say('Give it to them')}
      onChoose={(folder) => give(folder.id)}
      onClose={onClose}
    >
      <p class="muted small">{say('All short links of the folder get this set, instead of another one.')}</p>
    </FolderDialog>
  );
};

const Actions = ({ set }: PartProps) => {
  const { route } = useLocation();
  const [open, setOpen] = useState<'folder' | 'name' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('folder')}>{say('Give to a folder')}</Button>
      <Button onClick={() => setOpen('name')}>{say('Rename')}</Button>
      <Danger onClick={() => setOpen('delete')}>{say('Delete')}</Danger>
      {open === 'folder' && <GiveToFolder set={set} onClose={close} />}
      {open === 'name' && (
        <NameDialog
          title={say('Rename the rule set')}
          name={set.name}
          action={say('Rename')}
          save={(name) =>
            change(api.PATCH('/api/v1/rule-sets/{id}', { params: paramsOf(set), body: { name } }))
          }
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <Question
          title={say('Delete “{name}”?', { name: set.name })}
          yes={say('Delete the rule set')}
          no={say('Keep it')}
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/rule-sets/{id}', { params: paramsOf(set) }));
            route(toScreenPath(LIST));
          }}
          onClose={close}
        >
          <p>{say('A set that short links have, also those in the bin, cannot be deleted.')}</p>
        </Question>
      )}
    </>
  );
};

/** Shows one rule set: its rules, their history, and how many short links have it. */
export default function RuleSetScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const set = useGet('/api/v1/rule-sets/{id}', { path: { id } });
  const known = set.data;
  return (
    <Page
      title={known?.name ?? say('Rule set')}
      above={<Above path={LIST} name={say('Rule sets')} />}
      beside={known && <span class="muted">{count(known.links, 'short link', 'short links')}</span>}
      actions={known && <Actions set={known} />}
    >
      <Loaded load={set} what={say('the rule set')}>
        {(data) => <SetRules set={data} />}
      </Loaded>
    </Page>
  );
}
