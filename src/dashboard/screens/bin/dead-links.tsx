import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useLoad } from '../../ui/use-load.ts';
import { faultOfUrl } from '../code/destination.tsx';

const Form = ({
  url,
  onSave,
}: {
  /** The saved address; empty for none. */
  readonly url: string;
  readonly onSave: (url: string) => Promise<void>;
}) => {
  const [text, setText] = useState(url);
  const { busy, fault, run, clear } = useAction();
  useEffect(() => setText(url), [url]);
  const changed = text !== url;
  const problem = changed && text !== '' ? faultOfUrl(text) : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problem === null) void run(() => onSave(text));
  };
  return (
    <form class="stack" onSubmit={submit}>
      <label>
        Address for deleted codes
        <input
          value={text}
          inputMode="url"
          maxLength={4296}
          placeholder="https://example.com/no-longer-valid"
          aria-invalid={problem !== null || fault !== null}
          aria-describedby="dead-links-fault dead-links-help"
          onInput={(event) => {
            clear();
            setText(event.currentTarget.value);
          }}
        />
      </label>
      <p id="dead-links-fault" class="fault" role="alert">
        {problem ?? (fault && (fault.details || fault.message))}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={!changed || problem !== null || busy}>
          Save
        </button>
        {changed && (
          <button type="button" onClick={() => setText(url)}>
            Cancel
          </button>
        )}
      </div>
      <p id="dead-links-help" class="muted small">
        Anyone who scans a dynamic code that you deleted is sent to this address. If it is empty, they see a
        page that says that the code leads nowhere. A change takes effect within a second. These scans are not
        counted.
      </p>
    </form>
  );
};

/** Shows and changes where the short links of deleted codes lead. */
export const DeadLinks = () => {
  const toast = useToast();
  const account = useLoad((signal) => ask(api.GET('/api/v1/account', { signal })), []);
  const save = async (url: string): Promise<void> => {
    await ask(api.PATCH('/api/v1/account', { body: { deadLinkUrl: url === '' ? null : url } }));
    toast({
      text: url === '' ? 'Saved. Deleted codes lead nowhere now.' : 'Saved. Deleted codes lead there now.',
    });
    account.reload();
  };
  return (
    <Card title="When a deleted code is scanned">
      <Loaded load={account} what="the address">
        {(data) => <Form url={data.dead_link_url ?? ''} onSave={save} />}
      </Loaded>
    </Card>
  );
};
