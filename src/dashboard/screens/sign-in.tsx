import { useState } from 'preact/hooks';
import { api, ask, type Fault } from '../api/client.ts';
import type { Session } from '../api/shapes.ts';
import { Mark } from '../ui/mark.tsx';
import { asFault } from '../ui/use-load.ts';

const WORDS: Readonly<Record<number, string>> = {
  400: 'This is not a key. It begins with tsr_ and is shown once, when it is made.',
  401: 'Nobody has this key. Check that all of it was copied.',
  403: 'This key has no scope "manage". Sign in with one that has it.',
};

const explain = (fault: Fault): string => WORDS[fault.status] ?? fault.message;

/** The key leaves the page with the form, and stays nowhere in it. */
export const SignIn = ({
  hasEnded,
  onSession,
}: {
  /** Whether this stands in for a screen whose session is over. */
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
            Your session has ended: it ran out, or its key was revoked. Sign in again to go on where you were.
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
          No key at hand? The service prints one when it starts for the first time; later ones come from
          whoever runs it. The key is not kept in this browser.
        </p>
      </form>
    </main>
  );
};
