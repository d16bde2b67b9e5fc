import { useState } from 'preact/hooks';
import { api, BASE } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { SigningSecret } from '../../api/shapes.ts';
import { Button, CopyButton, useAction } from '../../ui/buttons.tsx';
import { CONTENT_MAX_LENGTH, Input } from '../../ui/fields.tsx';
import { Card, Page, Tabs } from '../../ui/page.tsx';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { keyedUrl, type Picture, writeImageTag } from '../snippets.ts';
import { EmbedSigned, WidthInput } from './embed-signed.tsx';
import { SecretList } from './secrets.tsx';

/** Lists the signing secrets, makes another one, and deletes them. */
const SigningSecrets = ({ secrets }: { readonly secrets: readonly SigningSecret[] }) => (
  <>
    {secrets.length === 0 && <Empty title={say('No signing secrets yet.')} />}
    <SecretList
      secrets={secrets}
      name={say('signing secret')}
      fullName={say('signing secret')}
      make={say('Create signing secret')}
      hint={say('You can have two, so that one can replace the other. The newest one signs here.')}
      keptMin={0}
      consequence={(shown) =>
        sayWith('Every picture whose address {shown} has signed stops working, in web pages and emails.', {
          shown,
        })
      }
      onMake={async () => (await change(api.POST('/api/v1/signing-secrets'))).secret}
      onDelete={(id) => change(api.DELETE('/api/v1/signing-secrets/{id}', { params: { path: { id } } }))}
    />
  </>
);

const SERVICE = `${location.origin}${BASE}api/v1/`;
const PLACEHOLDER = 'YOUR_EMBED_KEY';

/** Makes a key that can only draw, and shows the markup that uses it. */
const EmbedKeyed = ({ picture }: { readonly picture: Picture }) => {
  const [key, setKey] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const tag = writeImageTag(keyedUrl(SERVICE, key ?? PLACEHOLDER, picture), picture);
  const make = async (): Promise<void> => {
    const made = await change(
      api.POST('/api/v1/keys', { body: { name: say('Embedding'), scopes: ['render'] } }),
    );
    setKey(made.key);
  };
  return (
    <>
      <pre class="listing" id="embed-tag">
        {tag}
      </pre>
      {key === null ? (
        <Button disabled={busy || picture.content === ''} onClick={() => void run(make)}>
          {busy ? say('Creating …') : say('Create embed key')}
        </Button>
      ) : (
        <div class="row">
          <CopyButton text={tag} label={say('Copy HTML')} />
          <span class="muted" role="status">
            {say('The key is in the HTML. It is shown only this once.')}
          </span>
        </div>
      )}
      {fault !== null && <Failure fault={fault} />}
    </>
  );
};

const PICTURE: Picture = {
  content: 'https://example.com/',
  widthPx: 300,
  dark: '#000000',
  light: '#ffffff',
};

const WAYS = [
  [
    'signed',
    say('Signed address'),
    say(
      'Recommended. It shows this one picture and nothing else, and costs 1 unit in each month in which it is shown.',
    ),
  ],
  [
    'keyed',
    say('Address with a key'),
    say(
      'Anyone who sees the page can copy the key and draw codes at your cost until you revoke it. Each request that reaches the service costs 1 unit.',
    ),
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
const EmbedPane = ({
  secrets,
}: {
  /** `null` until they are loaded. */
  readonly secrets: readonly SigningSecret[] | null;
}) => {
  const [picture, setPicture] = useState(PICTURE);
  const set = (name: keyof Picture) => (value: string | number) => setPicture({ ...picture, [name]: value });
  const [way, setWay] = useState<(typeof WAYS)[number][0]>('signed');
  return (
    <section class="card embed" aria-labelledby="embed-title">
      <h2 id="embed-title">{say('Embed a code')}</h2>
      <p class="muted">{say('A picture for a web page or an email.')}</p>
      <div class="embed-fields">
        <Input
          look="wide"
          label={say('Content')}
          maxLength={CONTENT_MAX_LENGTH}
          value={picture.content}
          onText={set('content')}
        />
        <WidthInput widthPx={picture.widthPx} onWidth={set('widthPx')} />
        <Input type="color" label={say('Code')} value={picture.dark} onText={set('dark')} />
        <Input type="color" label={say('Background')} value={picture.light} onText={set('light')} />
      </div>
      <fieldset class="choice">
        <legend>{say('Kind of address')}</legend>
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
          tagOf={(url) => writeImageTag(url, picture)}
          secrets={secrets}
        />
      ) : (
        <EmbedKeyed picture={picture} />
      )}
    </section>
  );
};

/** Makes pictures for web pages and emails, and shows the secrets that sign their addresses. */
export default function Embedding(_: { readonly path: string }) {
  const secrets = useGet('/api/v1/signing-secrets', {});
  return (
    <Page title={say('Embedding')}>
      <Tabs of="keys" />
      <div class="pair">
        <EmbedPane secrets={secrets.data?.data ?? null} />
        <Card title={say('Signing secrets')}>
          <p class="muted">
            {say('They sign the addresses of embedded pictures, here and on your own server.')}
          </p>
          <Loaded load={secrets} what={say('your signing secrets')}>
            {({ data }) => <SigningSecrets secrets={data} />}
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}
