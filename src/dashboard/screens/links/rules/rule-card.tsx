/** An ordered list of rules, of a short link or a rule set, and the dialog that changes one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageAt } from '../../../api/client.ts';
import type { Rule } from '../../../api/shapes.ts';
import { Button, Danger, Quiet, useAction } from '../../../ui/buttons.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { useDraft } from '../../../ui/kept/drafts.ts';
import { Card, Dots } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { withItem } from '../texts.ts';
import { RuleFields } from './rule-fields.tsx';
import { conditionsInWords, faultOfRule, toRule, toRuleTexts } from './texts.ts';

/** Holds what is typed of a rule. @param of Whose rule it is. @param rule `null`: a new one. */
export const useRuleTexts = (of: string, rule: Rule | null) => {
  const [texts, setTexts, draft] = useDraft(`rule ${rule?.name ?? ''} of ${of}`, toRuleTexts(rule));
  return {
    texts,
    setTexts,
    draft,
    isReady: texts.conditions.length > 0,
    problem: faultOfRule(texts),
    written: () => toRule(texts, rule),
  };
};

interface RuleDialogProps {
  /** Tells the link or the rule set apart. */
  readonly of: string;
  /** `null`: a new one. */
  readonly rule: Rule | null;
  /** Its place among the rules. */
  readonly at: number;
  readonly save: (rule: Rule) => Promise<unknown>;
  readonly onClose: () => void;
}

const RuleDialog = ({ of, rule, at, save, onClose }: RuleDialogProps) => {
  const { texts, setTexts, draft, isReady, problem, written } = useRuleTexts(of, rule);
  const path = `rules.${at}`;
  return (
    <FormDialog
      title={rule === null ? say('Add a rule') : say('Edit the rule “{name}”', { name: rule.name })}
      action={say('Save')}
      isReady={isReady}
      problem={problem}
      fields={[path]}
      submit={() => save(written())}
      draft={draft}
      onClose={onClose}
    >
      {(_, fault) => (
        <RuleFields texts={texts} at={(field) => messageAt(fault, `${path}.${field}`)} onTexts={setTexts} />
      )}
    </FormDialog>
  );
};

interface RuleRowProps {
  readonly rule: Rule;
  readonly children: ComponentChildren;
}

const RuleRow = ({ rule: { name, when, destination }, children }: RuleRowProps) => (
  <li class="setting">
    <div>
      <h3>{name}</h3>
      <Dots facts={conditionsInWords(when)} />
      <a class="wrap" href={destination} target="_blank" rel="noreferrer noopener">
        {destination}
      </a>
    </div>
    <div class="row">{children}</div>
  </li>
);

interface RuleCardProps {
  /** Tells the link or the rule set apart. */
  readonly of: string;
  readonly rules: readonly Rule[];
  /** Whether the last rule can be removed. */
  readonly mayBeEmpty: boolean;
  /** Saves all rules. */
  readonly save: (rules: Rule[]) => Promise<unknown>;
  /** Further actions. */
  readonly actions?: ComponentChildren;
  /** Stands below the rules. */
  readonly children?: ComponentChildren;
}

/** Shows rules in their order, adds, changes, moves and removes them. */
export const RuleCard = ({ of, rules, mayBeEmpty, save, actions, children }: RuleCardProps) => {
  const { fault, run } = useAction();
  /** The place of the rule that is edited; their number for a new one. */
  const [edited, edit] = useState<number | null>(null);
  const set = (at: number, rule: Rule | null) => save(withItem(rules, at, rule));
  const move = (at: number, to: number): void => {
    const rule = rules[at];
    if (rule !== undefined) void run(() => save(withItem(rules, at, null).toSpliced(to, 0, rule)));
  };
  return (
    <Card
      title={say('Rules')}
      actions={
        <div class="row">
          {actions}
          <Button onClick={() => edit(rules.length)}>{say('Add a rule')}</Button>
        </div>
      }
    >
      <p class="muted small">{say('The first rule whose conditions all hold leads a visit.')}</p>
      {rules.length > 0 && (
        <ol class="stack">
          {rules.map((rule, at) => {
            const about = say('the rule “{name}”', { name: rule.name });
            return (
              <RuleRow key={rule.name} rule={rule}>
                {at > 0 && (
                  <Quiet about={about} onClick={() => move(at, at - 1)}>
                    {say('Move up')}
                  </Quiet>
                )}
                {at < rules.length - 1 && (
                  <Quiet about={about} onClick={() => move(at, at + 1)}>
                    {say('Move down')}
                  </Quiet>
                )}
                <Button about={about} onClick={() => edit(at)}>
                  {say('Edit')}
                </Button>
                {(mayBeEmpty || rules.length > 1) && (
                  <Danger about={about} onClick={() => void run(() => set(at, null))}>
                    {say('Remove')}
                  </Danger>
                )}
              </RuleRow>
            );
          })}
        </ol>
      )}
      {fault !== null && <Failure fault={fault} />}
      {children}
      {edited !== null && (
        <RuleDialog
          of={of}
          rule={rules[edited] ?? null}
          at={edited}
          save={(rule) => set(edited, rule)}
          onClose={() => edit(null)}
        />
      )}
    </Card>
  );
};
