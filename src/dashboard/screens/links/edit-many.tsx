import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Code } from '../../api/shapes.ts';
import { Choosable, Input, UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { LIMIT, PASSWORD } from './guards.tsx';
import { RuleSetInput, useRuleSets } from './rules/link-rules.tsx';
import { useChangedLinks } from './save-link.ts';
import { faultOfTexts, type RouteTexts, TIME, toChange } from './texts.ts';

type Name = keyof RouteTexts;

interface FieldProps {
  readonly value: string;
  readonly onText: (text: string) => void;
}

const RuleSetField = ({ value, onText }: FieldProps) => {
  const { data: sets = [] } = useRuleSets();
  return <RuleSetInput sets={sets} value={value} onChoose={onText} />;
};

/** What may be changed, and what is asked once it is chosen. */
const FIELDS: Readonly<
  Record<Name, readonly [title: string, field: (props: FieldProps) => ComponentChildren]>
> = {
  destination: [
    'Destination',
    (props) => (
      <UrlInput
        label={<span class="hidden">New destination</span>}
        placeholder="https://example.com/menu"
        {...props}
      />
    ),
  ],
  active_from: ['Start', (props) => <Input label="Empty: at once" {...TIME} {...props} />],
  active_until: ['End', (props) => <Input label="Empty: never" {...TIME} {...props} />],
  before_destination: ['Address before the start', (props) => <UrlInput label="Empty: none" {...props} />],
  after_destination: ['Address after the end', (props) => <UrlInput label="Empty: none" {...props} />],
  rule_set_id: ['Rule set', (props) => <RuleSetField {...props} />],
  visit_limit: ['Limit of visits', (props) => <Input label="Empty: any number" {...LIMIT} {...props} />],
  password: ['Password', (props) => <Input label="Empty: none" {...PASSWORD} {...props} />],
};

interface EditManyProps {
  /** At most 1000. */
  readonly codes: readonly Code[];
  readonly onClose: () => void;
}

/**
 * A dialog that changes where and when many short links lead, all or nothing. It offers to undo that. The call names
 * links by slugs at the address of the service, so those at own domains are left out.
 */
export const EditMany = ({ codes, onClose }: EditManyProps) => {
  const slugs = codes.flatMap(({ slug, domain }) => (slug === null || domain !== null ? [] : [slug]));
  const leftOut = codes.filter(({ domain }) => domain !== null).length;
  const [texts, setTexts] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [chosen, setChosen] = useState<readonly Name[]>(['destination']);
  const tell = useChangedLinks();
  const asked = Object.fromEntries(chosen.map((name) => [name, texts[name] ?? ''])) as RouteTexts;
  const isStarted = slugs.length > 0 && chosen.length > 0 && asked.destination !== '';
  const submit = async (): Promise<void> => {
    const body = { slugs, change: toChange(asked) };
    tell(await change(api.PATCH('/api/v1/links', { body })));
  };
  return (
    <FormDialog
      title={`Change ${count(slugs.length, 'short link')}`}
      action="Save"
      isReady={isStarted}
      problem={isStarted ? faultOfTexts(asked) : null}
      submit={submit}
      onClose={onClose}
    >
      {() => (
        <>
          <p class="muted small">Choose what to change. Each link keeps everything else.</p>
          {leftOut > 0 && (
            <p class="notice">
              {count(leftOut, 'link')} at own domains {leftOut === 1 ? 'is' : 'are'} left out: change{' '}
              {leftOut === 1 ? 'it on its' : 'each on its'} own page.
            </p>
          )}
          {(Object.keys(FIELDS) as Name[]).map((name) => {
            const [title, field] = FIELDS[name];
            return (
              <Choosable
                key={name}
                title={title}
                isOn={chosen.includes(name)}
                onToggle={(isOn) =>
                  setChosen(isOn ? [...chosen, name] : chosen.filter((other) => other !== name))
                }
              >
                {field({
                  value: texts[name] ?? '',
                  onText: (text) => setTexts({ ...texts, [name]: text }),
                })}
              </Choosable>
            );
          })}
        </>
      )}
    </FormDialog>
  );
};
