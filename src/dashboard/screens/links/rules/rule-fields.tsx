/** The fields of a rule: its name, its conditions, and where it leads. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Area, Choosable, FaultOf, Input, Pills, SelectInput, UrlInput } from '../../../ui/fields.tsx';
import { ZONES } from '../../../ui/zones.ts';
import { say } from '../../../words/say.ts';
import { TIME } from '../texts.ts';
import { CONDITIONS, type ConditionName, DEVICES, type RuleTexts, WEEKDAYS } from './texts.ts';

type LineName = Exclude<
  { [N in keyof RuleTexts]: RuleTexts[N] extends string ? N : never }[keyof RuleTexts],
  'visit'
>;

interface RuleFieldsProps {
  readonly texts: RuleTexts;
  /** Returns what the service says of a field of the rule; `null`: nothing. */
  readonly at: (field: string) => string | null;
  readonly onTexts: (texts: RuleTexts) => void;
}

/** Returns what a field shows of the texts, and how it changes them. */
const typedIn = ({ texts, at, onTexts }: RuleFieldsProps, name: LineName, field: string) => ({
  value: texts[name],
  fault: at(field),
  spellcheck: false,
  onText: (text: string) => onTexts({ ...texts, [name]: text }),
});

/** A label that the box above already shows. */
const named = (name: ComponentChildren) => <span class="hidden">{name}</span>;

const Days = (props: RuleFieldsProps) => {
  const { texts, at, onTexts } = props;
  const zones = useId();
  const ofParts = ['zone', 'from', 'until'].some((part) => at(`when.time.${part}`) !== null);
  return (
    <div class="stack">
      <Pills
        legend={named(say('Days'))}
        options={WEEKDAYS}
        chosen={texts.weekdays}
        fault={ofParts ? null : at('when.time')}
        onChoose={(weekdays) => onTexts({ ...texts, weekdays })}
      />
      <div class="fields">
        <Input label={say('From')} type="time" {...typedIn(props, 'timeFrom', 'when.time.from')} />
        <Input
          label={say('Until')}
          hint={say('if earlier, the next day')}
          type="time"
          {...typedIn(props, 'timeUntil', 'when.time.until')}
        />
      </div>
      <Input label={say('Time zone')} list={zones} {...typedIn(props, 'zone', 'when.time.zone')} />
      <datalist id={zones}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
};

/** What is asked once a condition is chosen. */
const FIELDS: Readonly<Record<ConditionName, (props: RuleFieldsProps) => ComponentChildren>> = {
  device: ({ texts, at, onTexts }) => (
    <Pills
      legend={named(CONDITIONS.device)}
      options={DEVICES}
      chosen={texts.device}
      fault={at('when.device')}
      onChoose={(device) => onTexts({ ...texts, device })}
    />
  ),
  language: (props) => (
    <Input
      label={named(say('Languages'))}
      hint={say('as in de, pt-BR; de covers de-CH')}
      {...typedIn(props, 'language', 'when.language')}
    />
  ),
  country: (props) => (
    <Input
      label={named(say('Countries'))}
      hint={say('two letters each, as in CH, AT')}
      {...typedIn(props, 'country', 'when.country')}
    />
  ),
  region: (props) => (
    <Input
      label={named(say('Regions'))}
      hint={say('as in DE-BY, if the operator has a file of them')}
      {...typedIn(props, 'region', 'when.region')}
    />
  ),
  city: (props) => (
    <Area
      label={named(say('Cities'))}
      hint={say('English names, one per line, if the operator has a file of them')}
      {...typedIn(props, 'city', 'when.city')}
    />
  ),
  query: (props) => (
    <Area
      label={named(say('Parameters'))}
      hint={say('one per line, as in size=L; without = any value')}
      {...typedIn(props, 'query', 'when.query')}
    />
  ),
  time: (props) => <Days {...props} />,
  date: (props) => (
    <div class="fields">
      <Input label={say('From')} {...TIME} {...typedIn(props, 'dateFrom', 'when.date.from')} />
      <Input label={say('Until')} {...TIME} {...typedIn(props, 'dateUntil', 'when.date.until')} />
    </div>
  ),
  visit: ({ texts, at, onTexts }) => (
    <SelectInput
      label={named(say('Visit'))}
      value={texts.visit}
      fault={at('when.visit')}
      options={[
        ['first', say('The first visit of a day')],
        ['later', say('Later visits of a day')],
      ]}
      onChoose={(visit) => onTexts({ ...texts, visit })}
    />
  ),
  share_percent: (props) => (
    <Input
      label={named(say('Percent'))}
      hint={say('percent; a visitor stays on one side')}
      type="number"
      step="any"
      {...typedIn(props, 'share', 'when.share_percent')}
    />
  ),
};

/** Takes a rule. Each condition has its fields once its box is checked. */
export const RuleFields = (props: RuleFieldsProps) => {
  const { texts, at, onTexts } = props;
  const { conditions } = texts;
  const names = Object.keys(CONDITIONS) as ConditionName[];
  const isOfCondition = names.some((name) => at(`when.${name}`) !== null);
  return (
    <>
      <Input
        label={say('Name')}
        hint={say('scans have it; letters, digits, “-” and “_”')}
        required
        maxLength={40}
        {...typedIn(props, 'name', 'name')}
      />
      <fieldset>
        <legend>
          {say('Only when')} <span class="muted">{say('all that you check hold')}</span>
        </legend>
        {names.map((name) => (
          <Choosable
            key={name}
            title={CONDITIONS[name]}
            isOn={conditions.includes(name)}
            onToggle={(isOn) =>
              onTexts({
                ...texts,
                conditions: isOn ? [...conditions, name] : conditions.filter((other) => other !== name),
              })
            }
          >
            {FIELDS[name](props)}
          </Choosable>
        ))}
        {!isOfCondition && at('when') !== null && <FaultOf text={at('when')} />}
      </fieldset>
      <UrlInput
        label={say('Leads to')}
        required
        placeholder="https://example.com/ch"
        {...typedIn(props, 'destination', 'destination')}
      />
    </>
  );
};
