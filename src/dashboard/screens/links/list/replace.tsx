import { useState } from 'preact/hooks';
import type { Link } from '../../../api/shapes.ts';
import { Input } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { count } from '../../../ui/format.ts';
import { say } from '../../../words/say.ts';
import { useChangeLinks } from '../change-links.ts';
import { faultOfUrl } from '../texts.ts';

interface ReplaceProps {
  readonly links: readonly Link[];
  readonly onClose: () => void;
}

/** A dialog that replaces a text in the destinations of links, and shows the first new one before that. */
export const ReplaceInMany = ({ links, onClose }: ReplaceProps) => {
  const [find, setFind] = useState('');
  const [text, setText] = useState('');
  const changeLinks = useChangeLinks();
  const changed = links.flatMap((link) => {
    const destination = find === '' ? link.destination : link.destination.replaceAll(find, text);
    return destination === link.destination ? [] : [{ link, change: { destination } }];
  });
  const [first] = changed;
  const faulty = changed.find(({ change }) => faultOfUrl(change.destination) !== null);
  return (
    <FormDialog
      title={say('Replace in {destinations}', {
        destinations: count(links.length, 'destination', 'destinations'),
      })}
      action={say('Replace')}
      isReady={changed.length > 0}
      problem={
        faulty
          ? say('“{destination}” is not an address that links can lead to.', {
              destination: faulty.change.destination,
            })
          : null
      }
      submit={() => changeLinks(changed)}
      help={say('Upper and lower case are different here.')}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Input label={say('Find')} required value={find} onText={setFind} {...aria} />
          <Input label={say('Replace with')} value={text} onText={setText} {...aria} />
          <p role="status" class="small">
            {find !== '' && (
              <strong>
                {say('{destinations} will change.', {
                  destinations: count(changed.length, 'destination', 'destinations'),
                })}
              </strong>
            )}
          </p>
          {first && (
            <p class="small wrap">
              <del>{first.link.destination}</del> <ins>{first.change.destination}</ins>
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
};
