import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { BASE } from '../../base.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type Embed, imageTag } from './image-tag.ts';

const SERVICE = `${location.origin}${BASE}api/v1/`;
const PLACEHOLDER = 'YOUR_EMBED_KEY';

type Picture = Omit<Embed, 'key'>;

const PICTURE: Picture = {
  content: 'https://example.com/',
  widthPx: 300,
  dark: '#000000',
  light: '#ffffff',
};

const ColorInput = ({
  id,
  label,
  color,
  onColor,
}: {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly onColor: (color: string) => void;
}) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} type="color" value={color} onInput={(event) => onColor(event.currentTarget.value)} />
  </div>
);

const Fields = ({
  picture,
  onPicture,
}: {
  readonly picture: Picture;
  readonly onPicture: (picture: Picture) => void;
}) => {
  const change = (part: Partial<Picture>) => onPicture({ ...picture, ...part });
  return (
    <div class="embed-fields">
      <div class="field wide">
        <label for="embed-content">Content</label>
        <input
          id="embed-content"
          type="text"
          maxLength={4296}
          value={picture.content}
          onInput={(event) => change({ content: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="embed-width">
          Size <span class="muted">px</span>
        </label>
        <input
          id="embed-width"
          type="number"
          min={50}
          max={2000}
          value={picture.widthPx}
          onChange={(event) => change({ widthPx: toWidthPx(event.currentTarget.valueAsNumber) })}
        />
      </div>
      <ColorInput id="embed-dark" label="Dots" color={picture.dark} onColor={(dark) => change({ dark })} />
      <ColorInput
        id="embed-light"
        label="Background"
        color={picture.light}
        onColor={(light) => change({ light })}
      />
    </div>
  );
};

const toWidthPx = (written: number): number => Math.min(2000, Math.max(50, Math.round(written || 300)));

/** Makes a key that can only draw, and shows the markup that uses it. */
export const EmbedPane = ({ onMade }: { readonly onMade: () => void }) => {
  const [picture, setPicture] = useState(PICTURE);
  const [key, setKey] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const tag = imageTag(SERVICE, { ...picture, key: key ?? PLACEHOLDER });
  const make = async (): Promise<void> => {
    const made = await ask(api.POST('/api/v1/keys', { body: { name: 'Embedding', scopes: ['render'] } }));
    setKey(made.key);
    onMade();
  };
  return (
    <section class="card embed" aria-labelledby="embed-title">
      <h2 id="embed-title">Embed a code</h2>
      <p class="muted">
        A picture for a web page or an email. Readers can see its key, so it gets a key that can only draw.
      </p>
      <Fields picture={picture} onPicture={setPicture} />
      <pre class="listing" id="embed-tag">
        {tag}
      </pre>
      {key === null ? (
        <button
          type="button"
          class="primary"
          disabled={busy || picture.content === ''}
          onClick={() => void run(make)}
        >
          {busy ? 'Making …' : 'Make an embed key'}
        </button>
      ) : (
        <div class="row">
          <CopyButton text={tag} label="Copy the tag" />
          <span class="muted" role="status">
            The key is in the tag. It is shown only this once.
          </span>
        </div>
      )}
      <p class="muted">
        Each request that reaches the service costs 1 unit. A browser asks once and then keeps the picture for
        up to a year.
      </p>
      {fault !== null && <Failure fault={fault} />}
    </section>
  );
};
