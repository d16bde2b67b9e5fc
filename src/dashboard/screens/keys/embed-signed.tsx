import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Code, SignedPicture, SigningSecret } from '../../api/shapes.ts';
import { CopyButton, Primary, Quiet, useAction } from '../../ui/buttons.tsx';
import { Input, useFollowing } from '../../ui/fields.tsx';
import { Dialog } from '../../ui/form.tsx';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { toWidthPx, writeImageTag } from '../snippets.ts';
import { endOfDay, LastDayInput } from './key-form.tsx';
import { SecretShown } from './secrets.tsx';

/** The end of a day in the reader's time zone, in Unix seconds. */
const endOfDayS = (date: string): number => Math.floor(endOfDay(date).getTime() / 1000);

const signed = async (shown: SignedPicture, lastDay: string): Promise<string> => {
  const expires = lastDay === '' ? {} : { expires: endOfDayS(lastDay) };
  const { url } = await ask(api.POST('/api/v1/signed-urls', { body: { ...shown, ...expires } }));
  return url;
};

interface WidthInputProps {
  readonly widthPx: number;
  readonly onWidth: (widthPx: number) => void;
}

/** Asks for the width of a picture. Typed text survives redraws of the form, and takes effect when finished. */
export const WidthInput = ({ widthPx, onWidth }: WidthInputProps) => {
  const [text, setText] = useFollowing(String(widthPx));
  return (
    <Input
      type="number"
      label={say('Size')}
      hint="px"
      min={50}
      max={2000}
      value={text}
      onText={setText}
      onChange={(event) => {
        const wantedPx = toWidthPx(event.currentTarget.valueAsNumber);
        setText(String(wantedPx));
        onWidth(wantedPx);
      }}
    />
  );
};

interface EmbedSignedProps {
  /** What the address shows. */
  readonly shown: SignedPicture;
  /** Returns the markup of an address. */
  readonly tagOf: (url: string) => string;
  /** `null` until they are loaded. */
  readonly secrets: readonly SigningSecret[] | null;
}

/**
 * Signs the address of a picture, after making the account's first secret where there is none, and shows its markup.
 */
export const EmbedSigned = ({ shown, tagOf, secrets }: EmbedSignedProps) => {
  const [lastDay, setLastDay] = useState('');
  const [made, setMade] = useState<{ readonly of: string; readonly tag: string } | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const wanted = JSON.stringify([shown, lastDay]);
  const sign = async (): Promise<void> => {
    if (secrets?.length === 0) {
      const first = await change(api.POST('/api/v1/signing-secrets'));
      setSecret(first.secret);
    }
    setMade({ of: wanted, tag: tagOf(await signed(shown, lastDay)) });
  };
  // What was signed shows another picture once a field is changed.
  const tag = made?.of === wanted ? made.tag : null;
  return (
    <>
      <LastDayInput hint={say('empty: it never ends')} value={lastDay} onText={setLastDay} />
      {tag === null ? (
        <Primary disabled={busy || secrets === null || shown.data === ''} onClick={() => void run(sign)}>
          {busy ? say('Creating …') : say('Get HTML')}
        </Primary>
      ) : (
        <>
          <pre class="listing" id="embed-tag">
            {tag}
          </pre>
          <div class="row">
            <CopyButton text={tag} label={say('Copy HTML')} />
            <span class="muted" role="status">
              {say('The address is signed.')}
            </span>
          </div>
        </>
      )}
      {fault !== null && <Failure fault={fault} />}
      {secret !== null && (
        <SecretShown
          what={say('signing secret')}
          advice={say('Your own server can sign addresses with it. Nothing else needs it.')}
          secret={secret}
          onDone={() => setSecret(null)}
        />
      )}
    </>
  );
};

interface EmbedCodeProps {
  readonly code: Pick<Code, 'id' | 'content' | 'width' | 'height'>;
  readonly onClose: () => void;
}

/** Makes the markup of a saved code for a web page or an email, with a signed address. */
export const EmbedCode = ({ code, onClose }: EmbedCodeProps) => {
  const [widthPx, setWidthPx] = useState(code.width);
  const heightPx = Math.round((widthPx * code.height) / code.width);
  const secrets = useGet('/api/v1/signing-secrets', {});
  return (
    <Dialog title={say('Embed the code')} onClose={onClose}>
      <p class="muted">
        {say(
          'A picture for a web page or an email. Its signed address shows this one code and costs 1 unit in each month in which it is shown. Changes to the design appear there within a day.',
        )}
      </p>
      <WidthInput widthPx={widthPx} onWidth={setWidthPx} />
      <EmbedSigned
        shown={{ code: code.id, width: widthPx }}
        tagOf={(url) => writeImageTag(url, { widthPx, heightPx, content: code.content })}
        secrets={secrets.data?.data ?? null}
      />
      <Quiet onClick={onClose}>{say('Close')}</Quiet>
    </Dialog>
  );
};
