import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, messageAt, toScreenPath } from '../../../api/client.ts';
import { change, usePages } from '../../../api/query.ts';
import type { RuleSet } from '../../../api/shapes.ts';
import { Primary } from '../../../ui/buttons.tsx';
import { NameInput } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { formatMoment, formatNumber, unitOf } from '../../../ui/format.ts';
import { useDraft } from '../../../ui/kept/drafts.ts';
import { PagedTable } from '../../../ui/lists.tsx';
import { Page, Tabs } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { useRuleTexts } from './rule-card.tsx';
import { RuleFields } from './rule-fields.tsx';

interface NewRuleSetProps {
  readonly onMade: (set: RuleSet) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a set and its first rule, and makes it. */
const NewRuleSet = ({ onMade, onClose }: NewRuleSetProps) => {
  const [{ name }, enter, named] = useDraft('new rule set', { name: '' });
  const { texts, setTexts, draft, isReady, problem, written } = useRuleTexts(say('a new set'), null);
  const both = {
    isOlder: draft.isOlder || named.isOlder,
    drop: () => {
      draft.drop();
      named.drop();
    },
    sent: () => {
      draft.sent();
      named.sent();
    },
  };
  return (
    <FormDialog
      title={say('New rule set')}
      action={say('Make the set')}
      isReady={isReady}
      problem={problem}
      fields={['name', 'rules.0']}
      submit={async () =>
        onMade(await change(api.POST('/api/v1/rule-sets', { body: { name, rules: [written()] } })))
      }
      draft={both}
      help={say('More rules are added on its page.')}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <NameInput
            label={say('Name of the set')}
            required
            value={name}
            fault={messageAt(fault, 'name')}
            onText={(typed) => enter({ name: typed })}
          />
          <h3>{say('Its first rule')}</h3>
          <RuleFields texts={texts} at={(field) => messageAt(fault, `rules.0.${field}`)} onTexts={setTexts} />
        </>
      )}
    </FormDialog>
  );
};

const Row = ({ set: { id, name, rules, updated_at } }: { readonly set: RuleSet }) => (
  <tr>
    <td>
      <a class="wrap name" href={toScreenPath(`/links/rule-sets/${id}`)}>
        {name}
      </a>
    </td>
    <td class="wrap muted">{rules.map((rule) => rule.name).join(', ')}</td>
    <td class="number" data-unit={unitOf(rules.length, 'rule', 'rules')}>
      {formatNumber(rules.length)}
    </td>
    <td class="muted" data-name={say('Changed')}>
      {formatMoment(updated_at)}
    </td>
  </tr>
);

/** Shows the rule sets of the account, newest first, and makes them. */
export default function RuleSets(_: { readonly path: string }) {
  const { route } = useLocation();
  const [isMaking, setMaking] = useState(false);
  const pages = usePages('/api/v1/rule-sets', { query: { limit: 25 } });
  const begin = <Primary onClick={() => setMaking(true)}>{say('New rule set')}</Primary>;
  return (
    <Page title={say('Rule sets')} actions={pages.items.length > 0 && begin}>
      <Tabs of="links" />
      <PagedTable
        pages={pages}
        what={say('the rule sets')}
        columns={[say('Rule set'), say('Its rules'), say('Number'), say('Changed')]}
        hasActions={false}
        empty={
          <Empty title={say('No rule sets yet.')} icon="links" actions={begin}>
            <p>
              {say(
                'A rule set has rules that many short links share: by device, language, country, time and more. A change of the set changes all of them at once.',
              )}
            </p>
          </Empty>
        }
        row={(set) => <Row key={set.id} set={set} />}
      />
      {isMaking && (
        <NewRuleSet
          onMade={({ id }) => route(toScreenPath(`/links/rule-sets/${id}`))}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}
