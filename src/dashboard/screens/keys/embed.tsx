import { useState } from 'preact/hooks';
import type { SigningSecret } from '../../api/shapes.ts';
import { EmbedFields } from './embed-fields.tsx';
import { EmbedKeyed } from './embed-keyed.tsx';
import { EmbedSigned } from './embed-signed.tsx';
import { imageTag, type Picture } from './image-tag.ts';

const PICTURE: Picture = {
  content: 'https://example.com/',
  widthPx: 300,
  dark: '#000000',
  light: '#ffffff',
};

const WAYS = [
  [
    'signed',
    'Signed address',
    'Recommended. It shows this one picture and nothing else, and costs 1 unit in each month in which it is shown.',
  ],
  [
    'keyed',
    'Address with a key',
    'Everybody who reads the page can take the key and draw anything at your cost, until you revoke it. Each request that reaches the service costs 1 unit.',
  ],
] as const;

const shownBy = ({ content, widthPx, dark, light }: Picture) => ({
  data: content,
  width: widthPx,
  height: widthPx,
  dotsOptions: { color: dark },
  backgroundOptions: { color: light },
});

/** Makes the markup of a picture for a web page or an email: with a signed address, or with a key in the address. */
export const EmbedPane = ({
  secrets,
  onSecret,
}: {
  /** `null` until they are loaded. */
  readonly secrets: readonly SigningSecret[] | null;
  readonly onSecret: () => void;
}) => {
  const [picture, setPicture] = useState(PICTURE);
  const [way, setWay] = useState<(typeof WAYS)[number][0]>('signed');
  return (
    <section class="card embed" aria-labelledby="embed-title">
      <h2 id="embed-title">Embed a code</h2>
      <p class="muted">A picture for a web page or an email.</p>
      <EmbedFields picture={picture} onPicture={setPicture} />
      <fieldset class="choice">
        <legend>Kind of address</legend>
        {WAYS.map(([value, name, meaning]) => (
          <label key={value}>
            <input type="radio" name="embed-way" checked={way === value} onChange={() => setWay(value)} />
            <span>
              {name} <span class="muted">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {way === 'signed' ? (
        <EmbedSigned
          shown={shownBy(picture)}
          tagOf={(url) => imageTag(url, picture)}
          secrets={secrets}
          onMade={onSecret}
        />
      ) : (
        <EmbedKeyed picture={picture} />
      )}
    </section>
  );
};
