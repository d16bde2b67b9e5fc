/** A dialog that makes a short link: that of a new dynamic code. */
import { api, messageAt } from '../../../api/client.ts';
import { change } from '../../../api/query.ts';
import type { CodeWithDesign } from '../../../api/shapes.ts';
import { useCopy, useToast } from '../../../ui/buttons.tsx';
import { Area, FolderInput, Input, NameInput, UrlInput } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { useDraft } from '../../../ui/kept/drafts.ts';
import { say } from '../../../words/say.ts';
import { toTags } from '../../codes/tags.tsx';
import { faultOfUrl, SLUG } from '../texts.ts';

/** The fields of `POST /api/v1/codes` as they are typed; an empty one is not sent. */
const BEGINNING = { data: '', name: '', slug: '', folder_name: '', tags: '' };
type Texts = typeof BEGINNING;

/** Into which the service saves when nobody names another folder. */
const USUAL_FOLDER = 'Codes';

/** @throws {Fault} */
const makeCode = async ({ data, tags, ...others }: Texts): Promise<CodeWithDesign> => {
  const given = Object.fromEntries(
    Object.entries(others).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  );
  const body = { data: data.trim(), dynamic: true, ...given, tags: toTags(tags) };
  // The call answers with a picture only to clients that accept one.
  return (await change(api.POST('/api/v1/codes', { body }))) as CodeWithDesign;
};

export const NewLink = ({ onClose }: { readonly onClose: () => void }) => {
  const toast = useToast();
  const copy = useCopy();
  const [texts, enter, draft] = useDraft<Texts>('new link', BEGINNING);
  const make = async (): Promise<void> => {
    const { short_url: url } = await makeCode(texts);
    if (url === null) return;
    toast({
      text: say('{url} works now.', { url }),
      action: { label: say('Copy'), run: () => copy(url) },
    });
  };
  return (
    <FormDialog
      title={say('New link')}
      action={say('Make the link')}
      isReady={texts.data !== ''}
      problem={texts.data === '' ? null : faultOfUrl(texts.data)}
      fields={Object.keys(BEGINNING)}
      submit={make}
      draft={draft}
      help={say(
        'It costs 1 unit. Its code is black on white; you can design it, and change where it leads, for free.',
      )}
      onClose={onClose}
    >
      {(_, fault) => {
        const field = (name: keyof Texts) => ({
          value: texts[name],
          fault: messageAt(fault, name),
          onText: (text: string) => enter({ [name]: text }),
        });
        return (
          <>
            <UrlInput
              label={say('Destination')}
              placeholder="https://example.com/menu"
              required
              {...field('data')}
            />
            <NameInput hint="optional" {...field('name')} />
            <Input
              label={say('Last part of the address')}
              hint={say('empty: chosen for you')}
              {...SLUG}
              {...field('slug')}
            />
            <FolderInput placeholder={USUAL_FOLDER} {...field('folder_name')} />
            <Area label={say('Tags')} hint={say('one per line, up to 20')} rows={2} {...field('tags')} />
          </>
        );
      }}
    </FormDialog>
  );
};
