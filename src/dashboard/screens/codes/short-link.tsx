import { useState } from 'preact/hooks';
import { useGet, usePages } from '../../api/query.ts';
import type { Link, LinkChange, RouteChange } from '../../api/shapes.ts';
import { Button, CopyButton, linkTo } from '../../ui/buttons.tsx';
import { Input, UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count, formatMoment } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Card, Setting } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { ForwardSetting, forwardInWords } from '../links/forward.tsx';
import { Password, VisitLimit } from '../links/guards.tsx';
import { LinkRules } from '../links/rules/link-rules.tsx';
import { type LinkName, namedAs, useSaveDestination, useSaveLink } from '../links/save-link.ts';
import { AddressForm, ChangeList } from '../links/settings.tsx';
import { faultOfTexts, SLUG, TIME, toChange, toRouteTexts } from '../links/texts.ts';

interface SlugDialogProps {
  readonly link: Link;
  readonly save: (slug: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for another slug and passes it to `save`. When `save` rejects, the dialog stays open and shows why. */
const SlugDialog = ({ link: { slug, short_url }, save, onClose }: SlugDialogProps) => {
  const [{ text }, enter, draft] = useDraft(`slug of ${short_url}`, { text: slug });
  const place = short_url.slice(0, -slug.length).replace(/^https?:\/\//, '');
  return (
    <FormDialog
      title={say('Change the short address')}
      action={say('Change')}
      isReady={text !== slug}
      submit={() => save(text)}
      draft={draft}
      help={say(
        'The picture of the code changes: download it again before you print. Printed codes keep working, because the current address continues to lead here.',
      )}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Input
            label={say('Last part of the address')}
            value={text}
            required
            {...SLUG}
            onText={(typed) => enter({ text: typed })}
            {...aria}
          />
          <p class="new-address wrap">
            {place}
            {text}
          </p>
        </>
      )}
    </FormDialog>
  );
};

interface TimesDialogProps {
  readonly link: Link;
  readonly save: (change: RouteChange) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks when a link begins and ends, and where it leads at other times. Passes all of that to `save`. */
const TimesDialog = ({ link, save, onClose }: TimesDialogProps) => {
  const [texts, enter, draft] = useDraft(`times of ${link.short_url}`, toRouteTexts(link));
  const typed = (name: keyof typeof texts) => ({
    value: texts[name],
    onText: (text: string) => enter({ [name]: text }),
  });
  return (
    <FormDialog
      title={say('Start and end')}
      action={say('Save')}
      problem={faultOfTexts(texts)}
      submit={() => save(toChange(texts))}
      draft={draft}
      help={sayWith(
        'Times are in your time zone. Empty fields set no limit. Without an address, people are sent to the <link>address for codes that lead nowhere</link>.',
        { link: linkTo('/links/settings') },
      )}
      onClose={onClose}
    >
      {() => (
        <>
          <div class="fields">
            <Input label={say('Start')} {...TIME} {...typed('active_from')} />
            <Input label={say('End')} {...TIME} {...typed('active_until')} />
          </div>
          {(texts.active_from || texts.before_destination) && (
            <UrlInput label={say('Address before the start')} {...typed('before_destination')} />
          )}
          {(texts.active_until || texts.after_destination) && (
            <UrlInput label={say('Address after the end')} {...typed('after_destination')} />
          )}
        </>
      )}
    </FormDialog>
  );
};

type TimesOfLink = Pick<Link, 'active_from' | 'active_until' | 'before_destination' | 'after_destination'>;

/** Returns the times of a link and its addresses for them, one sentence a line; nothing when it has none. */
const inWords = (link: TimesOfLink): readonly string[] =>
  [
    link.active_from && say('Starts {moment}', { moment: formatMoment(link.active_from) }),
    link.active_from &&
      link.before_destination &&
      say('Before that: {destination}', { destination: link.before_destination }),
    link.active_until && say('Ends {moment}', { moment: formatMoment(link.active_until) }),
    link.active_until &&
      link.after_destination &&
      say('After that: {destination}', { destination: link.after_destination }),
  ].filter((line) => line !== null);

const Address = ({ url, onChange }: { readonly url: string; readonly onChange: () => void }) => (
  <Setting
    title={say('Short address')}
    actions={
      <>
        <CopyButton text={url} label={say('Copy')} about={say('the short address')} />
        <Button about={say('the short address')} onClick={onChange}>
          {say('Change')}
        </Button>
      </>
    }
  >
    <p class="wrap">{url}</p>
  </Setting>
);

const Times = ({ link, onChange }: { readonly link: Link; readonly onChange: () => void }) => {
  const lines = inWords(link);
  const isEarly = link.active_from !== null && Date.now() < Date.parse(link.active_from);
  const hasEnded = link.active_until !== null && Date.now() >= Date.parse(link.active_until);
  return (
    <Setting
      title={
        <>
          {say('Start and end')} {isEarly && <span class="chip warn">{say('Not started')}</span>}
          {hasEnded && !isEarly && <span class="chip bad">{say('Ended')}</span>}
        </>
      }
      actions={
        <Button about={say('start and end')} onClick={onChange}>
          {say('Change')}
        </Button>
      }
    >
      {lines.length === 0 && <p class="muted">{say('Always works: no start or end is set.')}</p>}
      {lines.map((line) => (
        <p key={line} class="wrap">
          {line}
        </p>
      ))}
    </Setting>
  );
};

/** Says what of a past state decided about single visits, one sentence a line. */
const guardsInWords = ({ rules, rule_set_id, visit_limit, has_password, forward }: LinkChange) =>
  [
    rules !== null && say('Rules: {names}', { names: rules.map(({ name }) => name).join(', ') }),
    rule_set_id !== null && say('A rule set'),
    visit_limit !== null && say('Limit: {visits}', { visits: count(visit_limit, 'visit', 'visits') }),
    has_password && say('A password'),
    forward !== null && say('Passed on: {forward}', { forward: forwardInWords(forward).join(' ') }),
  ].filter((line) => line !== false);

interface HistoryProps {
  readonly link: LinkName;
  readonly onReturn: (change: LinkChange) => Promise<void>;
}

/** Shows where and when a link has led, and its slugs. Earlier ones have a button that restores all of that. */
const History = ({ link, onReturn }: HistoryProps) => (
  <ChangeList
    title={say('History')}
    pages={usePages('/api/v1/links/{slug}/history', {
      path: { slug: link.slug },
      query: { ...namedAs(link).query, limit: 10 },
    })}
    show={(past) => (
      <>
        <span class="wrap">{past.destination}</span>
        {past.slug !== link.slug && (
          <span class="small wrap">{say('Short address: …/{slug}', { slug: past.slug })}</span>
        )}
        {[...inWords(past), ...guardsInWords(past)].map((line) => (
          <span key={line} class="small wrap">
            {line}
          </span>
        ))}
      </>
    )}
    onReturn={onReturn}
  />
);

/**
 * Shows and changes where and when the short link of a code leads, and its address, with their history. With another
 * slug the code has another picture.
 */
const Settings = ({ link }: { readonly link: Link }) => {
  const [open, setOpen] = useState<'slug' | 'times' | null>(null);
  const close = () => setOpen(null);
  const save = useSaveLink(link);
  const saveDestination = useSaveDestination();
  const bringBack = ({ at, change_id, key, slug, has_password: hadPassword, ...route }: LinkChange) => {
    const again = slug === link.slug ? {} : { slug };
    const open = link.has_password && !hadPassword ? { password: null } : {};
    return save(
      { ...route, ...again, ...open },
      hadPassword
        ? say('Saved. The earlier settings are back; the password is not among them.')
        : say('Saved. The earlier settings are back.'),
    );
  };
  return (
    <>
      <AddressForm
        id="destination"
        of={link.short_url}
        label={say('Destination')}
        url={link.destination}
        actions={
          <a href={link.destination} target="_blank" rel="noreferrer noopener">
            {say('Open')}
          </a>
        }
        help={say(
          'The printed code stays the same. A change takes effect within a second. Placeholders such as {slug}, {query.size} or {serial} are filled in at each visit.',
        )}
        onSave={(destination) => saveDestination(link, destination)}
      />
      <Times link={link} onChange={() => setOpen('times')} />
      <VisitLimit link={link} save={save} />
      <Password link={link} save={save} />
      <ForwardSetting
        forward={link.forward}
        of="link"
        name={link.short_url}
        save={(forward) => save({ forward }, say('Saved. Visits follow within a second.'))}
      />
      <Address url={link.short_url} onChange={() => setOpen('slug')} />
      <History link={link} onReturn={bringBack} />
      {open === 'slug' && (
        <SlugDialog
          link={link}
          save={(slug) => save({ slug }, say('Saved. The code has a new picture: download it again.'))}
          onClose={close}
        />
      )}
      {open === 'times' && (
        <TimesDialog link={link} save={(times) => save(times, say('Saved.'))} onClose={close} />
      )}
    </>
  );
};

export const ShortLink = ({ link }: { readonly link: LinkName }) => (
  <>
    <Card title={say('Short link')}>
      <Loaded load={useGet('/api/v1/links/{slug}', namedAs(link))} what={say('the link')}>
        {(data) => <Settings link={data} />}
      </Loaded>
    </Card>
    <LinkRules link={link} />
  </>
);
