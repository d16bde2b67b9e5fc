import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Link, LinkChange, LinkPatch } from '../../api/shapes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AddressForm } from '../../ui/forms/address-form.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { shortUrl } from '../codes/names.ts';
import { History } from './history.tsx';
import { inWords, phaseOf } from './in-words.ts';
import { SlugDialog } from './slug-dialog.tsx';
import { TimesDialog } from './times-dialog.tsx';

const Address = ({ slug, onChange }: { readonly slug: string; readonly onChange: () => void }) => (
  <div class="setting">
    <div>
      <h3>Short address</h3>
      <p class="wrap">{shortUrl(slug)}</p>
    </div>
    <div class="row">
      <CopyButton text={shortUrl(slug)} label="Copy" about="the short address" />
      <button type="button" onClick={onChange}>
        Change<span class="hidden"> the short address</span>
      </button>
    </div>
  </div>
);

const Times = ({ link, onChange }: { readonly link: Link; readonly onChange: () => void }) => {
  const lines = inWords(link);
  const phase = phaseOf(link);
  return (
    <div class="setting">
      <div>
        <h3>
          Start and end {phase === 'not yet' && <span class="chip warn">not started</span>}
          {phase === 'ended' && <span class="chip bad">ended</span>}
        </h3>
        {lines.length === 0 && <p class="muted">Works at once, without an end.</p>}
        {lines.map((line) => (
          <p key={line} class="wrap">
            {line}
          </p>
        ))}
      </div>
      <button type="button" onClick={onChange}>
        Change<span class="hidden"> start and end</span>
      </button>
    </div>
  );
};

const Settings = ({
  link,
  change,
}: {
  readonly link: Link;
  readonly change: (patch: LinkPatch, done: string) => Promise<void>;
}) => {
  const [open, setOpen] = useState<'slug' | 'times' | null>(null);
  const close = () => setOpen(null);
  const bringBack = ({ slug, destination, active_from, active_until, ...then }: LinkChange) => {
    const { before_destination, after_destination } = then;
    const times = { active_from, active_until, before_destination, after_destination };
    const again = slug === link.slug ? {} : { slug };
    return change({ destination, ...times, ...again }, 'Saved. Everything is as it was then.');
  };
  return (
    <>
      <AddressForm
        id="destination"
        label="Destination"
        url={link.destination}
        actions={
          <a href={link.destination} target="_blank" rel="noreferrer noopener">
            Open
          </a>
        }
        help="The printed code stays the same. A change takes effect within a second."
        onSave={(destination) => change({ destination }, 'Saved. The short link leads there now.')}
      />
      <Times link={link} onChange={() => setOpen('times')} />
      <Address slug={link.slug} onChange={() => setOpen('slug')} />
      <History link={link} onReturn={bringBack} />
      {open === 'slug' && (
        <SlugDialog
          slug={link.slug}
          save={(slug) => change({ slug }, 'Saved. The code has a new picture: download it again.')}
          onClose={close}
        />
      )}
      {open === 'times' && (
        <TimesDialog link={link} save={(times) => change(times, 'Saved.')} onClose={close} />
      )}
    </>
  );
};

/**
 * Shows and changes where and when the short link of a code leads, and its address, with everything that they were
 * before.
 *
 * @param onSlug Called when the code has another slug, and so another picture.
 */
export const ShortLink = ({ slug, onSlug }: { readonly slug: string; readonly onSlug: () => void }) => {
  const toast = useToast();
  const link = useLoad(
    (signal) => ask(api.GET('/api/v1/links/{slug}', { params: { path: { slug } }, signal })),
    [slug],
  );
  const change = async (patch: LinkPatch, done: string): Promise<void> => {
    await ask(api.PATCH('/api/v1/links/{slug}', { params: { path: { slug } }, body: patch }));
    toast({ text: done });
    if (patch.slug === undefined) link.reload();
    else onSlug();
  };
  return (
    <Card title="Short link">
      <Loaded load={link} what="the link">
        {(data) => <Settings link={data} change={change} />}
      </Loaded>
    </Card>
  );
};
