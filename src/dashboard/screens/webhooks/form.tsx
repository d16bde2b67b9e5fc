import { useState } from 'preact/hooks';
import { namesOf } from '../../../../workers/lists.ts';
import { EVENTS, type WebhookEvent } from '../../../lists.ts';
import { refresh } from '../../api/query.ts';
import { UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { SecretShown } from '../keys/secrets.tsx';

/** What somebody wants of a webhook, as the service takes it. */
interface WantedWebhook {
  readonly url: string;
  readonly events: WebhookEvent[];
}

interface WebhookFormProps {
  readonly title: string;
  readonly action: string;
  /** What it has so far. */
  readonly first?: { readonly url: string; readonly events: readonly string[] };
  /** Returns the secret of a new webhook, which is shown once; `null`: it has one. */
  readonly save: (wanted: WantedWebhook) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks in a dialog for the address of a webhook and the events that it receives. */
export const WebhookForm = ({ title, action, first, save, onClose }: WebhookFormProps) => {
  const [url, setUrl] = useState(first?.url ?? '');
  const [events, setEvents] = useState(namesOf(EVENTS).filter((event) => first?.events.includes(event)));
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what="webhook secret" secret={secret} onDone={onClose} />;
  const toggle = (event: WebhookEvent, on: boolean) =>
    setEvents(on ? [...events, event] : events.filter((other) => other !== event));
  const submit = async (): Promise<void> => {
    const made = await save({ url: url.trim(), events });
    refresh();
    if (made === null) onClose();
    else setSecret(made);
  };
  return (
    <FormDialog
      title={title}
      action={action}
      isReady={url.trim() !== ''}
      submit={submit}
      staysOpen
      help="The address takes POST requests over https. Each one is signed with the secret of the webhook."
      onClose={onClose}
    >
      {(aria) => (
        <>
          <UrlInput
            label="Address"
            placeholder="https://example.com/hooks/tessera"
            value={url}
            required
            onText={setUrl}
            {...aria}
          />
          <fieldset class="choice">
            <legend>Events that it receives</legend>
            {namesOf(EVENTS).map((event) => (
              <label key={event}>
                <input
                  type="checkbox"
                  checked={events.includes(event)}
                  onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
                />
                <span>
                  {EVENTS[event]} <code class="muted">{event}</code>
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
};
