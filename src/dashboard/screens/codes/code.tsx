import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ifMatch, toScreenPath } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Code, CodeWithDesign } from '../../api/shapes.ts';
import { Button, ButtonLink, Danger, Primary, Quiet } from '../../ui/buttons.tsx';
import { Area, Input } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Above, Card, Page, Setting } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { EmbedCode } from '../keys/embed-signed.tsx';
import { PrintCode } from '../print/codes.tsx';
import { RenameCode, useDeletion } from './edit.tsx';
import { LinkScans } from './scans.tsx';
import { ShortLink } from './short-link.tsx';
import { imageUrl, labelOf } from './thumbnail.tsx';

const CodeName = ({ code }: { readonly code: Code }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Quiet onClick={() => setOpen(true)}>{code.name === null ? 'Add a name' : 'Rename'}</Quiet>
      {isOpen && <RenameCode code={code} onClose={() => setOpen(false)} />}
    </>
  );
};

/** Returns the tags of a text with one tag per line. */
const toTags = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const LabelsDialog = ({ code, onClose }: { readonly code: Code; readonly onClose: () => void }) => {
  const [tags, setTags] = useState(code.tags.join('\n'));
  const [own, setOwn] = useState(code.external_id ?? '');
  const save = () => {
    const params = { path: { id: code.id }, header: ifMatch(code) };
    const body = { tags: toTags(tags), external_id: own === '' ? null : own };
    return change(api.PATCH('/api/v1/codes/{id}', { params, body }));
  };
  return (
    <FormDialog title="Tags and your id" action="Save" submit={save} onClose={onClose}>
      {(aria) => (
        <>
          <Area label="Tags" hint="one per line, up to 20" rows={5} value={tags} onText={setTags} {...aria} />
          <Input label="Your id" hint="optional" maxLength={200} value={own} onText={setOwn} {...aria} />
        </>
      )}
    </FormDialog>
  );
};

/** Shows the tags of a code and the id that the account has for it, and changes them. */
const Labels = ({ code }: { readonly code: Code }) => {
  const [isOpen, setOpen] = useState(false);
  const { tags, external_id: ownId } = code;
  return (
    <>
      <Setting
        title="Tags and your id"
        actions={
          <Button about="tags and your id" onClick={() => setOpen(true)}>
            Change
          </Button>
        }
      >
        {tags.length === 0 && ownId === null && <p class="muted">None.</p>}
        {tags.length > 0 && (
          <p class="tags">
            {tags.map((tag) => (
              <a key={tag} class="chip" href={toScreenPath(`/codes?tag=${encodeURIComponent(tag)}`)}>
                {tag}
              </a>
            ))}
          </p>
        )}
        {ownId !== null && <p class="wrap">Your id: {ownId}</p>}
      </Setting>
      {isOpen && <LabelsDialog code={code} onClose={() => setOpen(false)} />}
    </>
  );
};

/** Downloads the code: at once as it was designed, or in a size and format of choice. */
const Downloads = ({ code }: { readonly code: CodeWithDesign }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="row">
      <Primary onClick={() => setOpen(true)}>Download …</Primary>
      <ButtonLink href={imageUrl(code.id, 'png')} download>
        PNG
      </ButtonLink>
      <ButtonLink href={imageUrl(code.id, 'svg')} download>
        SVG
      </ButtonLink>
      {isOpen && <PrintCode code={code} onClose={() => setOpen(false)} />}
    </div>
  );
};

const Picture = ({ code }: { readonly code: CodeWithDesign }) => (
  <Card>
    <div class="code-picture">
      <img
        src={imageUrl(code.id, 'png', 600, code.slug ?? undefined)}
        alt={`QR code of ${code.content}`}
        width={600}
        height={600}
      />
    </div>
    <Downloads code={code} />
    <dl class="facts">
      <dt>Content</dt>
      <dd class="wrap">{code.content}</dd>
      <dt>Size</dt>
      <dd>
        {code.width} × {code.height} px
      </dd>
      <dt>Created</dt>
      <dd>{formatMoment(code.created_at)}</dd>
    </dl>
    <Labels code={code} />
  </Card>
);

const Actions = ({ code }: { readonly code: CodeWithDesign }) => {
  const { route } = useLocation();
  const [isEmbedding, setEmbedding] = useState(false);
  const { remove, question } = useDeletion(() => route(toScreenPath(`/folders/${code.folder_id}`)));
  return (
    <>
      <ButtonLink href={toScreenPath(`/design?edit=${code.id}`)}>Edit design</ButtonLink>
      <ButtonLink href={toScreenPath(`/design?from=${code.id}`)}>Duplicate</ButtonLink>
      <Button onClick={() => setEmbedding(true)}>Embed</Button>
      <Danger onClick={() => void remove({ kind: 'codes', ids: [code.id], what: `“${labelOf(code)}”` })}>
        Delete
      </Danger>
      {question}
      {isEmbedding && <EmbedCode code={code} onClose={() => setEmbedding(false)} />}
    </>
  );
};

/** Shows one saved code: its picture and, for a dynamic code, its destination and its scans. */
export default function CodeScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const code = useGet('/api/v1/codes/{id}', { path: { id } });
  const known = code.data;
  return (
    <Page
      title={known?.name ?? (known?.dynamic ? 'Dynamic code' : 'Code')}
      above={<Above path={known ? `/folders/${known.folder_id}` : '/codes'} name="Folder" />}
      beside={known && <CodeName code={known} />}
      actions={known && <Actions code={known} />}
    >
      <Loaded load={code} what="the code">
        {(data) => (
          <div class="code-columns">
            <Picture code={data} />
            <div class="stack">
              {data.slug === null ? (
                <Empty title="This is a static code.">
                  <p>
                    Its content is in the code itself, so it cannot be changed after printing and scans cannot
                    be counted. Make a dynamic code if you need either.
                  </p>
                </Empty>
              ) : (
                <>
                  <ShortLink link={{ slug: data.slug, domain: data.domain }} />
                  <LinkScans link={{ slug: data.slug, domain: data.domain }} />
                </>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
