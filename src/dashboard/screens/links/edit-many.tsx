import type { ComponentChildren } from 'preact';
import { Choosable, Input, UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { say } from '../../words/say.ts';
import { useChangeLinks } from './change-links.ts';
import { LIMIT, PASSWORD } from './guards.tsx';
import { RuleSetInput, useRuleSets } from './rules/link-rules.tsx';
import type { LinkName } from './save-link.ts';
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
    say('Destination'),
    (props) => (
      <UrlInput
        label={<span class="hidden">{say('New destination')}</span>}
        placeholder="https://example.com/menu"
        {...props}
      />
    ),
  ],
  active_from: [say('Start'), (props) => <Input label={say('Empty: at once')} {...TIME} {...props} />],
  active_until: [say('End'), (props) => <Input label={say('Empty: never')} {...TIME} {...props} />],
  before_destination: [
    say('Address before the start'),
    (props) => <UrlInput label={say('Empty: none')} {...props} />,
  ],
  after_destination: [
    say('Address after the end'),
    (props) => <UrlInput label={say('Empty: none')} {...props} />,
  ],
  rule_set_id: [say('Rule set'), (props) => <RuleSetField {...props} />],
  visit_limit: [
    say('Limit of visits'),
    (props) => <Input label={say('Empty: any number')} {...LIMIT} {...props} />,
  ],
  password: [say('Password'), (props) => <Input label={say('Empty: none')} {...PASSWORD} {...props} />],
};

interface Entered {
  readonly texts: Readonly<Partial<Record<Name, string>>>;
  readonly chosen: readonly Name[];
}

/** Passwords are not kept. */
const withoutPassword = ({ texts, ...others }: Partial<Entered>): Partial<Entered> => {
  if (texts === undefined) return others;
  const { password: _, ...kept } = texts;
  return { ...others, texts: kept };
};

interface EditManyProps {
  readonly links: readonly LinkName[];
  readonly onClose: () => void;
}

/** A dialog that changes where and when many short links lead, and offers to undo that. */
export const EditMany = ({ links, onClose }: EditManyProps) => {
  const [{ texts, chosen }, enter, draft] = useDraft<Entered>(
    `change of ${links.length} links from ${links[0]?.slug}`,
    { texts: {}, chosen: ['destination'] },
    withoutPassword,
  );
  const changeLinks = useChangeLinks();
  const asked = Object.fromEntries(chosen.map((name) => [name, texts[name] ?? ''])) as RouteTexts;
  const isStarted = links.length > 0 && chosen.length > 0 && asked.destination !== '';
  const submit = async (): Promise<void> => {
    const change = toChange(asked);
    await changeLinks(links.map((link) => ({ link, change })));
  };
  return (
    <FormDialog
      title={say('Change {links}', { links: count(links.length, 'short link', 'short links') })}
      action={say('Save')}
      isReady={isStarted}
      problem={isStarted ? faultOfTexts(asked) : null}
      submit={submit}
      draft={draft}
      onClose={onClose}
    >
      {() => (
        <>
          <p class="muted small">{say('Choose what to change. Each link keeps everything else.')}</p>
          {(Object.keys(FIELDS) as Name[]).map((name) => {
            const [title, field] = FIELDS[name];
            return (
              <Choosable
                key={name}
                title={title}
                isOn={chosen.includes(name)}
                onToggle={(isOn) =>
                  enter({ chosen: isOn ? [...chosen, name] : chosen.filter((other) => other !== name) })
                }
              >
                {field({
                  value: texts[name] ?? '',
                  onText: (text) => enter({ texts: { ...texts, [name]: text } }),
                })}
              </Choosable>
            );
          })}
        </>
      )}
    </FormDialog>
  );
};
