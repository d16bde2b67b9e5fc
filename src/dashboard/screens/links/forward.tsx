/** What short links pass on of a visit: its query, the rest of its path, and parameters of web statistics. */
import { useState } from 'preact/hooks';
import { messageAt } from '../../api/client.ts';
import type { Forward } from '../../api/shapes.ts';
import { Button } from '../../ui/buttons.tsx';
import { CheckInput, Input, type Options, Segments, SelectInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Setting } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';

type UtmName = keyof Forward['utm'];

const NOTHING: Forward = { query: 'drop', path: false, utm: {} };

const QUERIES: Options<Forward['query']> = [
  ['drop', say('Leave them out')],
  ['keep-own', say('Pass them on; where both have one, that of the destination counts')],
  ['keep-theirs', say('Pass them on; where both have one, that of the short link counts')],
];

const UTM: Readonly<Record<UtmName, string>> = {
  source: 'utm_source',
  medium: 'utm_medium',
  campaign: 'utm_campaign',
  term: 'utm_term',
  content: 'utm_content',
  id: 'utm_id',
};
const UTM_NAMES = Object.keys(UTM) as UtmName[];

/** Says what is passed on, one sentence a line. */
export const forwardInWords = ({ query, path, utm }: Forward): readonly string[] => {
  const added = UTM_NAMES.flatMap((name) => (utm[name] === undefined ? [] : [`${UTM[name]}=${utm[name]}`]));
  const lines = [
    query === 'drop'
      ? ''
      : query === 'keep-own'
        ? say('What follows a “?” in the short link. Where the destination has the same, its own counts.')
        : say('What follows a “?” in the short link, also where the destination has the same.'),
    path ? say('The rest of the path, as in …/size/42') : '',
    added.length === 0 ? '' : say('Adds {parameters}', { parameters: added.join(', ') }),
  ].filter((line) => line !== '');
  return lines.length === 0 ? [say('Nothing.')] : lines;
};

interface ForwardFieldsProps {
  readonly forward: Forward;
  readonly at: (field: string) => string | null;
  readonly onForward: (forward: Forward) => void;
}

const ForwardFields = ({ forward, at, onForward }: ForwardFieldsProps) => {
  const { query, path, utm } = forward;
  return (
    <>
      <SelectInput
        label={say('What follows a “?” in the short link')}
        hint={say('parameters, as in ?size=42')}
        value={query}
        options={QUERIES}
        onChoose={(chosen) => onForward({ ...forward, query: chosen })}
      />
      <CheckInput
        label={say('Pass on the rest of the path')}
        hint={say('What follows the short link, as in …/size/42')}
        isOn={path}
        onToggle={(isOn) => onForward({ ...forward, path: isOn })}
      />
      <fieldset>
        <legend>
          {say('Parameters that are added')}{' '}
          <span class="muted">{say('for web statistics; may have placeholders, as in {slug}')}</span>
        </legend>
        <div class="fields">
          {UTM_NAMES.map((name) => (
            <Input
              key={name}
              label={UTM[name]}
              maxLength={200}
              spellcheck={false}
              value={utm[name] ?? ''}
              fault={at(`forward.utm.${name}`)}
              onText={(text) => onForward({ ...forward, utm: { ...utm, [name]: text } })}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
};

const withoutEmpty = ({ utm, ...forward }: Forward): Forward => ({
  ...forward,
  utm: Object.fromEntries(Object.entries(utm).filter(([, value]) => value !== '')),
});

interface ForwardProps {
  /** `null`: what holds for all links; of the account, nothing. */
  readonly forward: Forward | null;
  /** Whose setting it is. That of the account holds where there is no other. */
  readonly of: 'link' | 'domain' | 'account';
  /** Tells that link or domain apart. */
  readonly name: string;
  readonly save: (forward: Forward | null) => Promise<unknown>;
}

interface Entered {
  readonly forward: Forward;
  readonly whose: 'own' | 'account';
}

const ForwardDialog = ({
  forward: saved,
  of,
  name,
  save,
  onClose,
}: ForwardProps & { readonly onClose: () => void }) => {
  const [{ forward, whose }, enter, draft] = useDraft<Entered>(`forward of ${of} ${name}`, {
    forward: saved ?? NOTHING,
    whose: saved === null && of !== 'account' ? 'account' : 'own',
  });
  return (
    <FormDialog
      title={say('What is passed on')}
      action={say('Save')}
      fields={['forward.utm']}
      submit={() => save(whose === 'own' ? withoutEmpty(forward) : null)}
      draft={draft}
      help={say('Applies to the destination, and to the addresses before the start and after the end.')}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          {of !== 'account' && (
            <Segments
              label={say('What holds')}
              value={whose}
              options={[
                ['account', say('As for all links')],
                ['own', of === 'link' ? say('For this link') : say('For this domain')],
              ]}
              onChoose={(chosen) => enter({ whose: chosen })}
            />
          )}
          {whose === 'own' && (
            <ForwardFields
              forward={forward}
              at={(field) => messageAt(fault, field)}
              onForward={(next) => enter({ forward: next })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

/** Shows and changes what a link, or those of a domain or of the account that say nothing themselves, pass on. */
export const ForwardSetting = (props: ForwardProps) => {
  const [isOpen, setOpen] = useState(false);
  const { forward, of } = props;
  return (
    <>
      <Setting
        title={say('Passed on to the destination')}
        actions={
          <Button about={say('what is passed on')} onClick={() => setOpen(true)}>
            {say('Change')}
          </Button>
        }
      >
        {forward === null && of !== 'account' ? (
          <p class="muted">{say('As for all links.')}</p>
        ) : (
          forwardInWords(forward ?? NOTHING).map((line) => (
            <p key={line} class="wrap">
              {line}
            </p>
          ))
        )}
      </Setting>
      {isOpen && <ForwardDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
};
