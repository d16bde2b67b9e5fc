/** The rules of one short link, and the rule set that it shares with others. */
import { useState } from 'preact/hooks';
import { messageAt, toScreenPath } from '../../../api/client.ts';
import { getAll, useGet, useRead } from '../../../api/query.ts';
import type { Link, RuleSet } from '../../../api/shapes.ts';
import { Button, linkTo } from '../../../ui/buttons.tsx';
import { SelectInput } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { count } from '../../../ui/format.ts';
import { useDraft } from '../../../ui/kept/drafts.ts';
import { Setting } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { say, sayWith } from '../../../words/say.ts';
import { type LinkName, namedAs, type SaveLink, useSaveLink } from '../save-link.ts';
import { Explain } from './explain.tsx';
import { RuleCard } from './rule-card.tsx';

/** An account has at most two hundred rule sets. */
const PAGES_MAX = 2;

/** Reads the rule sets of the account by their names. */
export const useRuleSets = () =>
  useRead(
    ['rule-sets'],
    async (signal): Promise<readonly RuleSet[]> =>
      (await getAll('/api/v1/rule-sets', { query: { limit: 100 } }, PAGES_MAX, signal)).toSorted(
        (one, other) => one.name.localeCompare(other.name),
      ),
  );

interface RuleSetInputProps {
  readonly sets: readonly RuleSet[];
  /** The id of the chosen one; '': none. */
  readonly value: string;
  readonly fault?: string | null;
  readonly onChoose: (id: string) => void;
}

/** Takes a rule set, or none, by its name. */
export const RuleSetInput = ({ sets, ...input }: RuleSetInputProps) => (
  <SelectInput
    label={say('Rule set')}
    options={[['', say('None')], ...sets.map(({ id, name }) => [id, name] as const)]}
    {...input}
  />
);

interface RuleSetDialogProps {
  readonly link: Link;
  readonly sets: readonly RuleSet[];
  readonly save: SaveLink;
  readonly onClose: () => void;
}

const RuleSetDialog = ({ link, sets, save, onClose }: RuleSetDialogProps) => {
  const [{ id }, enter, draft] = useDraft(`set of ${link.short_url}`, {
    id: link.rule_set_id ?? '',
  });
  return (
    <FormDialog
      title={say('Rule set')}
      action={say('Save')}
      fields={['rule_set_id']}
      draft={draft}
      submit={() => save({ rule_set_id: id || null }, say('Saved.'))}
      help={sayWith(
        'Its rules come after those of the link. Make and change sets under <link>Rule sets</link>.',
        { link: linkTo('/links/rule-sets') },
      )}
      onClose={onClose}
    >
      {(_, fault) => (
        <RuleSetInput
          sets={sets}
          value={id}
          fault={messageAt(fault, 'rule_set_id')}
          onChoose={(chosen) => enter({ id: chosen })}
        />
      )}
    </FormDialog>
  );
};

const SharedRules = ({ link, save }: Pick<RuleSetDialogProps, 'link' | 'save'>) => {
  const { data: sets = [], error, refetch } = useRuleSets();
  const [isOpen, setOpen] = useState(false);
  const set = sets.find(({ id }) => id === link.rule_set_id);
  return (
    <>
      <Setting
        title={say('Rule set')}
        actions={
          <Button about={say('the rule set')} onClick={() => setOpen(true)}>
            {say('Change')}
          </Button>
        }
      >
        {set === undefined ? (
          <p class="muted">{say('None: no rules are shared with other links.')}</p>
        ) : (
          <p class="dots wrap">
            <a href={toScreenPath(`/links/rule-sets/${set.id}`)}>{set.name}</a>
            <span class="muted">{count(set.rules.length, 'rule', 'rules')}</span>
          </p>
        )}
      </Setting>
      {error !== null && <Failure fault={error} retry={() => void refetch()} />}
      {isOpen && <RuleSetDialog link={link} sets={sets} save={save} onClose={() => setOpen(false)} />}
    </>
  );
};

const Rules = ({ link }: { readonly link: Link }) => {
  const save = useSaveLink(link);
  const [isExplaining, setExplaining] = useState(false);
  return (
    <>
      <RuleCard
        of={link.short_url}
        rules={link.rules ?? []}
        mayBeEmpty
        save={(rules) =>
          save({ rules: rules.length === 0 ? null : rules }, say('Saved. Visits follow within a second.'))
        }
        actions={<Button onClick={() => setExplaining(true)}>{say('Explain a visit')}</Button>}
      >
        <SharedRules link={link} save={save} />
      </RuleCard>
      {isExplaining && <Explain link={link} onClose={() => setExplaining(false)} />}
    </>
  );
};

/** Shows and changes the rules of a short link. Shows nothing until the link is read. */
export const LinkRules = ({ link }: { readonly link: LinkName }) => {
  const { data } = useGet('/api/v1/links/{slug}', namedAs(link));
  return data === undefined ? null : <Rules link={data} />;
};
