import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { SignedPicture, SigningSecret } from '../../api/shapes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SecretShown } from './secret-shown.tsx';

/** The end of a day where the reader is, in Unix seconds; a date input writes `YYYY-MM-DD`. */
const endOfDayS = (date: string): number => Math.floor(new Date(`${date}T23:59:59`).getTime() / 1000);

const signed = async (shown: SignedPicture, lastDay: string): Promise<string> => {
  const expires = lastDay === '' ? {} : { expires: endOfDayS(lastDay) };
  const { url } = await ask(api.POST('/api/v1/signed-urls', { body: { ...shown, ...expires } }));
  return url;
};

const LastDay = ({
  value,
  onValue,
}: {
  readonly value: string;
  readonly onValue: (value: string) => void;
}) => (
  <div class="field">
    <label for="embed-end">
      Last day <span class="muted">empty: it never ends</span>
    </label>
    <input
      id="embed-end"
      type="date"
      min={new Date().toISOString().slice(0, 10)}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </div>
);

/**
 * Signs the address of a picture, after making the account's first secret where there is none, and shows its markup.
 */
export const EmbedSigned = ({
  shown,
  tagOf,
  secrets,
  onMade,
}: {
  /** What the address shows. */
  readonly shown: SignedPicture;
  /** Returns the markup of an address. */
  readonly tagOf: (url: string) => string;
  /** `null` until they are loaded. */
  readonly secrets: readonly SigningSecret[] | null;
  readonly onMade: () => void;
}) => {
  const [lastDay, setLastDay] = useState('');
  const [made, setMade] = useState<{ readonly of: string; readonly tag: string } | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const wanted = JSON.stringify([shown, lastDay]);
  const sign = async (): Promise<void> => {
    if (secrets?.length === 0) {
      const first = await ask(api.POST('/api/v1/signing-secrets'));
      setSecret(first.secret);
      onMade();
    }
    setMade({ of: wanted, tag: tagOf(await signed(shown, lastDay)) });
  };
  // What was signed shows another picture once a field is changed.
  const tag = made?.of === wanted ? made.tag : null;
  return (
    <>
      <LastDay value={lastDay} onValue={setLastDay} />
      {tag === null ? (
        <button
          type="button"
          class="primary"
          disabled={busy || secrets === null || shown.data === ''}
          onClick={() => void run(sign)}
        >
          {busy ? 'Creating …' : 'Get HTML'}
        </button>
      ) : (
        <>
          <pre class="listing" id="embed-tag">
            {tag}
          </pre>
          <div class="row">
            <CopyButton text={tag} label="Copy HTML" />
            <span class="muted" role="status">
              The address is signed.
            </span>
          </div>
        </>
      )}
      {fault !== null && <Failure fault={fault} />}
      {secret !== null && (
        <SecretShown
          what="signing secret"
          advice="Your own server can sign addresses with it. Nothing else needs it."
          secret={secret}
          onDone={() => setSecret(null)}
        />
      )}
    </>
  );
};
