import type { ComponentChildren } from 'preact';
import { Mark } from '../../frame/icons.tsx';
import { Submit } from '../buttons.tsx';
import { useAction } from '../use-action.ts';
import { FaultOf } from './field.tsx';

interface SignInFormProps {
  readonly label: string;
  readonly lead: string;
  /** Why the form replaces a screen; `null`: nobody was signed in. */
  readonly notice: string | null;
  /** What a refusal means here, by its status. */
  readonly words?: Readonly<Record<number, string>>;
  /** Stands below the button. */
  readonly children: ComponentChildren;
  readonly signIn: (secret: string) => Promise<void>;
}

/** A form for one secret, which is sent but not stored in the page. */
export const SignInForm = ({ label, lead, notice, words = {}, children, signIn }: SignInFormProps) => {
  const { busy, fault, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void run(async () => {
      await signIn(String(new FormData(form).get('secret')).trim());
      form.reset();
    });
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
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
        <FaultOf
          id="sign-in-fault"
          text={fault && (words[fault.status] ?? (fault.details || fault.message))}
        />
        <Submit disabled={busy}>{busy ? 'Signing in …' : 'Sign in'}</Submit>
        {children}
      </form>
    </main>
  );
};
