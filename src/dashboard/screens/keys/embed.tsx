import { useState } from 'preact/hooks';
import { api, ask, type Fault } from '../../api/client.ts';
import { BASE } from '../../base.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/states.tsx';
import { asFault } from '../../ui/use-load.ts';
import { imageTag } from './image-tag.ts';

const SERVICE = `${location.origin}${BASE}api/v1/`;
const PLACEHOLDER = 'YOUR_EMBED_KEY';

/** Makes a key that can only draw, and shows the markup that uses it. */
export const EmbedPane = ({ onMade }: { readonly onMade: () => void }) => {
  const [content, setContent] = useState('https://example.com/');
  const [widthPx, setWidthPx] = useState(300);
  const [dark, setDark] = useState('#000000');
  const [light, setLight] = useState('#ffffff');
  const [key, setKey] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const tag = imageTag(SERVICE, { key: key ?? PLACEHOLDER, content, widthPx, dark, light });
  const make = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      const made = await ask(api.POST('/api/v1/keys', { body: { name: 'Embedding', scopes: ['render'] } }));
      setKey(made.key);
      onMade();
    } catch (error) {
      setFault(asFault(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="card embed" aria-labelledby="embed-title">
      <h2 id="embed-title">Embed a code</h2>
      <p class="muted">
        A picture for a web page or an email. Readers can see its key, so it gets a key that can only draw.
      </p>
      <div class="embed-fields">
        <div class="field wide">
          <label for="embed-content">Content</label>
          <input
            id="embed-content"
            type="text"
            maxLength={4296}
            value={content}
            onInput={(event) => setContent(event.currentTarget.value)}
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
            value={widthPx}
            onChange={(event) =>
              setWidthPx(Math.min(2000, Math.max(50, Math.round(event.currentTarget.valueAsNumber || 300))))
            }
          />
        </div>
        <div class="field">
          <label for="embed-dark">Dots</label>
          <input
            id="embed-dark"
            type="color"
            value={dark}
            onInput={(event) => setDark(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="embed-light">Background</label>
          <input
            id="embed-light"
            type="color"
            value={light}
            onInput={(event) => setLight(event.currentTarget.value)}
          />
        </div>
      </div>
      <pre class="listing" id="embed-tag">
        {tag}
      </pre>
      {key === null ? (
        <button type="button" class="primary" disabled={busy || content === ''} onClick={() => void make()}>
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
