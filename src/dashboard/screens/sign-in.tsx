import { useState } from 'preact/hooks';
import { api, ask, type Fault } from '../api/client.ts';
import type { Session } from '../api/shapes.ts';
import { Mark } from '../ui/mark.tsx';
import { asFault } from '../ui/use-load.ts';

const WORDS: Readonly<Record<number, string>> = {
  400: 'This is not a key. A key begins with tsr_ and is shown once, when it is made.',
  401: 'There is no such key. Check that you copied all of it.',
  403: 'This key does not have the scope “manage”. Sign in with one that has it.',
};

const explain = (fault: Fault): string => WORDS[fault.status] ?? fault.message;

/** Signs a person in with a key. The key is sent with the form and stored nowhere in the page. */
export const SignIn = ({
  hasEnded,
  onSession,
}: {
  /** Whether the form replaces a screen whose session has ended. */
  readonly hasEnded: boolean;
  readonly onSession: (session: Session) => void;
}) => {
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = String(new FormData(form).get('key')).trim();
    setBusy(true);
    try {
      const session = await ask(api.POST('/dashboard/session', { body: { key } }));
      form.reset();
      onSession(session);
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
        {hasEnded && (
          <p class="notice" role="status">
            Your session has ended: it expired, or its key was revoked. Sign in again to continue where you
            were.
          </p>
        )}
        <p>Sign in with an API key that has the scope “manage”.</p>
        <label>
          API key
          <input name="key" type="password" autocomplete="off" required aria-describedby="sign-in-fault" />
        </label>
        <p id="sign-in-fault" class="fault" role="alert">
          {fault && explain(fault)}
        </p>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="muted small">
          You have no key? The operator of this service can make one. With an embedded database, the service
          prints one at its first start. This browser does not store the key.
        </p>
      </form>
    </main>
  );
};
