import { api, ask } from '../../api/client.ts';
import { AddressForm } from '../../ui/forms/address-form.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { History } from './history.tsx';

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
            <AddressForm
              id="destination"
              label="Destination"
              url={data.destination}
              actions={
                <a href={data.destination} target="_blank" rel="noreferrer noopener">
                  Open
                </a>
              }
              help="The printed code stays the same. A change takes effect within a second."
              onSave={save}
            />
            <History slug={slug} changedAt={data.updated_at} onReturn={save} />
          </>
        )}
      </Loaded>
    </Card>
  );
};
