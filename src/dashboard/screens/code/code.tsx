import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useGet } from '../../api/query.ts';
import type { CodeWithDesign } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Button, ButtonLink, Danger } from '../../ui/buttons.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Above, Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { labelOf } from '../codes/names.ts';
import { imageUrl } from '../codes/thumbnail.tsx';
import { useDeletion } from '../codes/use-deletion.tsx';
import { Download } from '../download/download.tsx';
import { EmbedCode } from '../keys/embed-signed.tsx';
import { CodeName, Labels } from './labels.tsx';
import { LinkScans } from './scans.tsx';
import { ShortLink } from './short-link.tsx';

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
    <div class="row">
      <Download code={code} />
      <ButtonLink href={imageUrl(code.id, 'png')} download>
        PNG
      </ButtonLink>
      <ButtonLink href={imageUrl(code.id, 'svg')} download>
        SVG
      </ButtonLink>
    </div>
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
export default function Code({ id = '' }: { readonly id?: string; readonly path: string }) {
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
                  <ShortLink slug={data.slug} />
                  <LinkScans slug={data.slug} />
                </>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
