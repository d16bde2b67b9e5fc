/** A dialog that says where a short link leads a visit that a person describes, and why. */
import { useState } from 'preact/hooks';
import { api, ask, messageAt } from '../../../api/client.ts';
import type { DescribedVisit, Explanation } from '../../../api/shapes.ts';
import { Input, type Options, SelectInput } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { say } from '../../../words/say.ts';
import { type LinkName, namedAs } from '../save-link.ts';
import { TIME } from '../texts.ts';
import { CONDITIONS, DEVICES } from './texts.ts';

/** A visit as it is typed; an empty text is not known. */
interface VisitTexts {
  readonly device: '' | 'ios' | 'android' | 'desktop' | 'other';
  readonly user_agent: string;
  readonly accept_language: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly address: string;
  readonly query: string;
  readonly at: string;
  readonly visit: 'first' | 'later';
}

const UNKNOWN: VisitTexts = {
  device: '',
  user_agent: '',
  accept_language: '',
  country: '',
  region: '',
  city: '',
  address: '',
  query: '',
  at: '',
  visit: 'first',
};

/** What a browser of each device calls itself. */
const USER_AGENTS: Readonly<Record<'ios' | 'android' | 'desktop', string>> = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
};

const DEVICE_CHOICES: Options<VisitTexts['device']> = [
  ['', say('Not known')],
  ...DEVICES,
  ['other', say('Another user agent')],
];

/** Returns the visit as the service takes it. */
const toVisit = ({ device, user_agent: typed, visit, at, country, region, query, ...texts }: VisitTexts) => {
  const known = {
    ...texts,
    user_agent: device === 'other' ? typed : device === '' ? '' : USER_AGENTS[device],
    country: country.toUpperCase(),
    region: region.toUpperCase(),
    query: query.replace(/^\?/, ''),
    at: at === '' ? '' : new Date(at).toISOString(),
  };
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, text]) => text !== '')),
    visit,
  } as DescribedVisit;
};

const leadsTo = ({ destination }: Explanation): string =>
  destination === null ? say('where codes lead that lead nowhere') : say('to {destination}', { destination });

/** Says in a sentence what becomes of the visit. */
export const outcomeInWords = (explained: Explanation): string => {
  const { outcome, rule, needs_password: needsPassword } = explained;
  const where = leadsTo(explained);
  if (outcome === 'before_start') return say('Before its start, the link leads {where}.', { where });
  if (outcome === 'after_end') return say('After its end, the link leads {where}.', { where });
  if (outcome === 'limit_reached') return say('At its limit of visits, the link leads {where}.', { where });
  if (outcome === 'rule')
    return needsPassword
      ? say('With the right password, the rule “{rule}” leads {where}.', { rule, where })
      : say('The rule “{rule}” leads {where}.', { rule, where });
  return needsPassword
    ? say('With the right password, no rule holds, so the link leads {where}.', { where })
    : say('No rule holds, so the link leads {where}.', { where });
};

/** Says why a rule did not lead the visit. */
export const reasonInWords = ({ condition, found }: Explanation['tried'][number]): string => {
  if (condition === null) return say('leads the visit');
  const name = CONDITIONS[condition];
  return found ? say('{name}: found {found}', { name, found }) : say('{name}: not known', { name });
};

const Explained = ({ explained }: { readonly explained: Explanation }) => (
  <>
    <p class="wrap">
      <strong>{outcomeInWords(explained)}</strong>
    </p>
    {explained.tried.length > 0 && (
      <ol class="rows" aria-label={say('Rules that were asked')}>
        {explained.tried.map((tried) => (
          <li key={tried.rule}>
            <span class="stack flat">
              {tried.rule}
              <span class="muted small wrap">{reasonInWords(tried)}</span>
            </span>
            <span class={`chip ${tried.fires ? 'good' : ''}`}>
              {tried.fires ? say('holds') : say('does not hold')}
            </span>
          </li>
        ))}
      </ol>
    )}
    <p class="muted small">{say('What the visit fills in and adds to the address is not shown.')}</p>
  </>
);

interface VisitFieldsProps {
  readonly texts: VisitTexts;
  /** Returns what the service says of a field; `null`: nothing. */
  readonly at: (field: keyof VisitTexts) => string | null;
  readonly set: (changed: Partial<VisitTexts>) => void;
}

const VisitFields = ({ texts, at, set }: VisitFieldsProps) => {
  const typed = (name: Exclude<keyof VisitTexts, 'device' | 'visit'>) => ({
    value: texts[name],
    fault: at(name),
    spellcheck: false,
    onText: (text: string) => set({ [name]: text }),
  });
  return (
    <>
      <div class="fields">
        <SelectInput
          label={say('Device')}
          value={texts.device}
          options={DEVICE_CHOICES}
          onChoose={(device) => set({ device })}
        />
        <Input label={say('Languages')} hint={say('as in de-CH, en')} {...typed('accept_language')} />
        <Input label={say('Country')} hint={say('as in CH')} maxLength={2} {...typed('country')} />
        <Input label={say('Query')} hint={say('as in size=L')} {...typed('query')} />
        <Input label={say('Time')} hint={say('empty: now')} {...TIME} {...typed('at')} />
        <SelectInput
          label={say('Visit')}
          value={texts.visit}
          options={[
            ['first', say('First of the day')],
            ['later', say('A later one')],
          ]}
          onChoose={(visit) => set({ visit })}
        />
      </div>
      {texts.device === 'other' && (
        <Input label={say('User agent')} maxLength={512} {...typed('user_agent')} />
      )}
      <details>
        <summary>{say('Place and address')}</summary>
        <div class="fields">
          <Input label={say('Region')} hint={say('as in DE-BY')} maxLength={6} {...typed('region')} />
          <Input label={say('City')} hint={say('in English')} maxLength={100} {...typed('city')} />
          <Input label={say('IP address')} hint={say('for shares')} maxLength={45} {...typed('address')} />
        </div>
      </details>
    </>
  );
};

interface ExplainProps {
  readonly link: LinkName;
  readonly onClose: () => void;
}

export const Explain = ({ link, onClose }: ExplainProps) => {
  const [texts, setTexts] = useState(UNKNOWN);
  const [explained, setExplained] = useState<Explanation | null>(null);
  const set = (changed: Partial<VisitTexts>): void => {
    setTexts({ ...texts, ...changed });
    setExplained(null);
  };
  const submit = async (): Promise<void> => {
    const params = namedAs(link);
    const body = toVisit(texts);
    setExplained(await ask(api.POST('/api/v1/links/{slug}/explain', { params, body })));
  };
  return (
    <FormDialog
      title={say('Where a visit is led')}
      action={say('Explain')}
      staysOpen
      fields={Object.keys(UNKNOWN)}
      submit={submit}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <p class="muted small">
            {say('Describe a visit. What is empty is not known of it. Nothing is counted.')}
          </p>
          <VisitFields texts={texts} at={(field) => messageAt(fault, field)} set={set} />
          <div class="stack" role="status">
            {explained !== null && <Explained explained={explained} />}
          </div>
        </>
      )}
    </FormDialog>
  );
};
