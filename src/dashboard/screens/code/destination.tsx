import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Link } from '../../api/shapes.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useLoad } from '../../ui/use-load.ts';
import { History } from './history.tsx';

/** Returns what the page can find wrong with a destination before it asks the service; `null` when it finds nothing. */
export const faultOfUrl = (text: string): string | null => {
  if (!URL.canParse(text)) return 'Enter the whole address, for example https://example.com/menu';
  const { protocol, username, password } = new URL(text);
  if (!/^https?:$/.test(protocol)) return 'Enter an http or https address: not every phone opens others.';
  if (username !== '' || password !== '') return 'Leave the user name and password out of the address.';
  return null;
};

const Form = ({
  link,
  onSave,
}: {
  readonly link: Link;
  readonly onSave: (destination: string) => Promise<void>;
}) => {
  const [text, setText] = useState(link.destination);
  const { busy, fault, run, clear } = useAction();
  useEffect(() => setText(link.destination), [link.destination]);
  const changed = text !== link.destination;
  const problem = changed ? faultOfUrl(text) : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problem === null) void run(() => onSave(text));
  };
  return (
    <form class="stack" onSubmit={submit}>
      <label>
        Destination
        <input
          value={text}
          inputMode="url"
          maxLength={4296}
          aria-invalid={problem !== null || fault !== null}
          aria-describedby="destination-fault"
          onInput={(event) => {
            clear();
            setText(event.currentTarget.value);
          }}
        />
      </label>
      <p id="destination-fault" class="fault" role="alert">
        {problem ?? (fault && (fault.details || fault.message))}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={!changed || problem !== null || busy}>
          Save
        </button>
        {changed && (
          <button type="button" onClick={() => setText(link.destination)}>
            Cancel
          </button>
        )}
        <a href={link.destination} target="_blank" rel="noreferrer noopener">
          Open
        </a>
      </div>
      <p class="muted small">The printed code stays the same. A change takes effect within a second.</p>
    </form>
  );
};

/** Shows and changes the destination of a short link, with its earlier destinations. */
export const Destination = ({ slug }: { readonly slug: string }) => {
  const toast = useToast();
  const params = { path: { slug } };
  const link = useLoad((signal) => ask(api.GET('/api/v1/links/{slug}', { params, signal })), [slug]);
  const save = async (destination: string): Promise<void> => {
    await ask(api.PATCH('/api/v1/links/{slug}', { params, body: { destination } }));
    toast({ text: 'Saved. The short link leads there now.' });
    link.reload();
  };
  return (
    <Card title="Destination">
      <Loaded load={link} what="the link">
        {(data) => (
          <>
            <Form link={data} onSave={save} />
            <History slug={slug} changedAt={data.updated_at} onReturn={save} />
          </>
        )}
      </Loaded>
    </Card>
  );
};
