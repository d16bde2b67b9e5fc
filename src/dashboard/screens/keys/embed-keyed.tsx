import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { BASE } from '../../base.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { imageTag, keyedUrl, type Picture } from './image-tag.ts';

const SERVICE = `${location.origin}${BASE}api/v1/`;
const PLACEHOLDER = 'YOUR_EMBED_KEY';

/** Makes a key that can only draw, and shows the markup that uses it. */
export const EmbedKeyed = ({ picture }: { readonly picture: Picture }) => {
  const [key, setKey] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const tag = imageTag(keyedUrl(SERVICE, key ?? PLACEHOLDER, picture), picture);
  const make = async (): Promise<void> => {
    const made = await ask(api.POST('/api/v1/keys', { body: { name: 'Embedding', scopes: ['render'] } }));
    setKey(made.key);
  };
  return (
    <>
      <pre class="listing" id="embed-tag">
        {tag}
      </pre>
      {key === null ? (
        <button type="button" disabled={busy || picture.content === ''} onClick={() => void run(make)}>
          {busy ? 'Creating …' : 'Create embed key'}
        </button>
      ) : (
        <div class="row">
          <CopyButton text={tag} label="Copy HTML" />
          <span class="muted" role="status">
            The key is in the HTML. It is shown only this once.
          </span>
        </div>
      )}
      {fault !== null && <Failure fault={fault} />}
    </>
  );
};
