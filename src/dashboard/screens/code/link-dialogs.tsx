import { useState } from 'preact/hooks';
import type { Link, RouteChange } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Input, UrlInput } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form.tsx';
import { shortUrl } from '../codes/names.ts';
import { faultOfTexts, TIME, toChange, toTexts } from '../links/route-texts.ts';

interface SlugDialogProps {
  readonly slug: string;
  readonly save: (slug: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for another slug and passes it to `save`. When `save` rejects, the dialog stays open and shows why. */
export const SlugDialog = ({ slug, save, onClose }: SlugDialogProps) => {
  const [text, setText] = useState(slug);
  return (
    <FormDialog
      title="Change the short address"
      action="Change"
      isReady={text !== slug}
      submit={() => save(text)}
      help="The picture of the code changes: download it again before you print. Printed codes keep working, because the current address continues to lead here."
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Input
            label="Last part of the address"
            value={text}
            required
            minLength={3}
            maxLength={64}
            pattern="[0-9A-Za-z][0-9A-Za-z_\-]*[0-9A-Za-z]"
            title="Letters, digits, hyphens and underscores, with a letter or digit at both ends"
            spellcheck={false}
            onText={setText}
            {...aria}
          />
          <p class="new-address wrap">{shortUrl(text).replace(/^https?:\/\//, '')}</p>
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
export const TimesDialog = ({ link, save, onClose }: TimesDialogProps) => {
  const [texts, setTexts] = useState(toTexts(link));
  const typed = (name: keyof typeof texts) => ({
    value: texts[name],
    onText: (text: string) => setTexts({ ...texts, [name]: text }),
  });
  return (
    <FormDialog
      title="Start and end"
      action="Save"
      problem={faultOfTexts(texts)}
      submit={() => save(toChange(texts))}
      help={
        <>
          Times are in your time zone. Empty fields set no limit. Without an address, people are sent to the{' '}
          <a href={toScreenPath('/links')}>address for codes that lead nowhere</a>.
        </>
      }
      onClose={onClose}
    >
      {() => (
        <>
          <div class="pair-of-fields">
            <Input label="Start" {...TIME} {...typed('active_from')} />
            <Input label="End" {...TIME} {...typed('active_until')} />
          </div>
          {(texts.active_from || texts.before_destination) && (
            <UrlInput label="Address before the start" {...typed('before_destination')} />
          )}
          {(texts.active_until || texts.after_destination) && (
            <UrlInput label="Address after the end" {...typed('after_destination')} />
          )}
        </>
      )}
    </FormDialog>
  );
};
