import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Fault } from '../../api/client.ts';
import { Mark } from '../mark.tsx';
import { asFault } from '../use-load.ts';

/** A form with one secret, which is sent and stored nowhere in the page. */
export const SignInForm = ({
  label,
  lead,
  notice,
  words = {},
  children,
  signIn,
}: {
  readonly label: string;
  readonly lead: string;
  /** Why the form replaces a screen; `null`: nobody was signed in. */
  readonly notice: string | null;
  /** What a refusal means here, by its status. */
  readonly words?: Readonly<Record<number, string>>;
  /** Stands below the button. */
  readonly children: ComponentChildren;
  readonly signIn: (secret: string) => Promise<void>;
}) => {
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setBusy(true);
    try {
      await signIn(String(new FormData(form).get('secret')).trim());
      form.reset();
    } catch (error) {
      setFault(asFault(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1 class="brand">
          <Mark />
          Tessera
        </h1>
        {notice !== null && (
          <p class="notice" role="status">
            {notice}
          </p>
        )}
        <p>{lead}</p>
        <label>
          {label}
          <input name="secret" type="password" autocomplete="off" required aria-describedby="sign-in-fault" />
        </label>
        <p id="sign-in-fault" class="fault" role="alert">
          {fault && (words[fault.status] ?? (fault.details || fault.message))}
        </p>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        {children}
      </form>
    </main>
  );
};
