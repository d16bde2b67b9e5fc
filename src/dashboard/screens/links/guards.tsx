/** How many visits a short link leads, and the password that it asks for. */
import { useState } from 'preact/hooks';
import type { Link } from '../../api/shapes.ts';
import { Button, Danger } from '../../ui/buttons.tsx';
import { Input } from '../../ui/fields.tsx';
import { FormDialog, Question } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Setting } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';
import type { SaveLink } from './save-link.ts';

/** Attributes of an input that takes a limit of visits. */
export const LIMIT = { type: 'number', inputMode: 'numeric', min: 1, max: 1_000_000_000, step: 1 } as const;

/** Attributes of an input that takes a new password. */
export const PASSWORD = {
  type: 'password',
  autocomplete: 'new-password',
  minLength: 4,
  maxLength: 200,
} as const;

interface SettingProps {
  readonly link: Link;
  readonly save: SaveLink;
}

interface DialogProps extends SettingProps {
  readonly onClose: () => void;
}

const LimitDialog = ({ link, save, onClose }: DialogProps) => {
  const limit = link.visit_limit === null ? '' : String(link.visit_limit);
  const [{ text }, enter, draft] = useDraft(`limit of ${link.short_url}`, {
    text: limit,
  });
  return (
    <FormDialog
      title={say('Limit of visits')}
      action={say('Save')}
      submit={() => save({ visit_limit: text === '' ? null : Number(text) }, say('Saved.'))}
      draft={draft}
      help={say(
        'People count, from when the link was made; bots and previews do not. At the limit the link leads to its address after the end, or nowhere.',
      )}
      onClose={onClose}
    >
      {(aria) => (
        <Input
          label={say('Visits')}
          hint={say('empty: any number')}
          {...LIMIT}
          value={text}
          onText={(typed) => enter({ text: typed })}
          {...aria}
        />
      )}
    </FormDialog>
  );
};

/** Shows and changes how many people a link leads. */
export const VisitLimit = ({ link, save }: SettingProps) => {
  const [isOpen, setOpen] = useState(false);
  const { visit_limit: limit, scans } = link;
  return (
    <>
      <Setting
        title={
          <>
            {say('Limit of visits')}{' '}
            {limit !== null && scans.people >= limit && <span class="chip bad">{say('Limit reached')}</span>}
          </>
        }
        actions={
          <Button about={say('the limit of visits')} onClick={() => setOpen(true)}>
            {say('Change')}
          </Button>
        }
      >
        <p class={limit === null ? 'muted' : ''}>
          {limit === null
            ? say('Leads any number of people.')
            : say('Leads {people}; {n} so far.', {
                people: count(limit, 'person', 'people'),
                n: scans.people,
              })}
        </p>
      </Setting>
      {isOpen && <LimitDialog link={link} save={save} onClose={() => setOpen(false)} />}
    </>
  );
};

const PasswordDialog = ({ link, save, onClose }: DialogProps) => {
  const [text, setText] = useState('');
  return (
    <FormDialog
      title={link.has_password ? say('Change the password') : say('Set a password')}
      action={say('Save')}
      submit={() => save({ password: text }, say('Saved. Visitors are asked for this password.'))}
      help={say(
        'Visitors enter it at each visit. It is kept as a hash, so nobody can look it up here later.',
      )}
      onClose={onClose}
    >
      {(aria) => (
        <Input label={say('Password')} required {...PASSWORD} value={text} onText={setText} {...aria} />
      )}
    </FormDialog>
  );
};

/** Says whether a link asks for a password, which is never shown; sets and removes it. */
export const Password = ({ link, save }: SettingProps) => {
  const [open, setOpen] = useState<'set' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const { has_password: isSet } = link;
  return (
    <>
      <Setting
        title={say('Password')}
        actions={
          <>
            <Button about={say('the password')} onClick={() => setOpen('set')}>
              {isSet ? say('Change') : say('Set')}
            </Button>
            {isSet && (
              <Danger about={say('the password')} onClick={() => setOpen('remove')}>
                {say('Remove')}
              </Danger>
            )}
          </>
        }
      >
        <p class={isSet ? '' : 'muted'}>
          {isSet ? say('Visitors are asked for a password.') : say('Visitors need none.')}
        </p>
      </Setting>
      {open === 'set' && <PasswordDialog link={link} save={save} onClose={close} />}
      {open === 'remove' && (
        <Question
          title={say('Remove the password?')}
          yes={say('Remove the password')}
          no={say('Keep it')}
          act={() => save({ password: null }, say('Saved. Visitors need no password.'))}
          onClose={close}
        >
          <p>{say('Everybody who has the link is led on.')}</p>
        </Question>
      )}
    </>
  );
};
