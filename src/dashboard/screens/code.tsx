import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../api/client.ts';
import type { CodeWithDesign } from '../api/shapes.ts';
import { screen } from '../base.ts';
import { moment } from '../ui/format.ts';
import { Above, Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { LinkScans } from './code/link-scans.tsx';
import { ShortLink } from './code/short-link.tsx';
import { CodeName } from './codes/code-name.tsx';
import { labelOf } from './codes/names.ts';
import { Download } from './download/download.tsx';
import { imageUrl } from './folders/image-url.ts';
import { useDeletion } from './folders/use-deletion.tsx';
import { EmbedCode } from './keys/embed-code.tsx';

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
      <Download id={code.id} widthPx={code.width} />
      <a class="button" href={imageUrl(code.id, 'png')} download>
        PNG
      </a>
      <a class="button" href={imageUrl(code.id, 'svg')} download>
        SVG
      </a>
    </div>
    <dl class="facts">
      <dt>Content</dt>
      <dd class="wrap">{code.content}</dd>
      <dt>Size</dt>
      <dd>
        {code.width} × {code.height} px
      </dd>
      <dt>Created</dt>
      <dd>{moment(code.created_at)}</dd>
    </dl>
  </Card>
);

/** Shows one saved code: its picture and, for a dynamic code, its destination and its scans. */
export default function Code({ id = '' }: { readonly id?: string; readonly path: string }) {
  const { route } = useLocation();
  const code = useLoad(
    (signal) => ask(api.GET('/api/v1/codes/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const { remove, question } = useDeletion(() => route(screen(`/folders/${code.data?.folder_id ?? ''}`)));
  const [isEmbedding, setEmbedding] = useState(false);
  return (
    <Page
      title={code.data?.name ?? (code.data?.dynamic ? 'Dynamic code' : 'Code')}
      above={<Above path={code.data ? `/folders/${code.data.folder_id}` : '/codes'} name="Folder" />}
      beside={code.data && <CodeName code={code.data} onRenamed={code.reload} />}
      actions={
        code.data && (
          <>
            <a class="button" href={screen(`/design?edit=${id}`)}>
              Edit design
            </a>
            <a class="button" href={screen(`/design?from=${id}`)}>
              Duplicate
            </a>
            <button type="button" onClick={() => setEmbedding(true)}>
              Embed
            </button>
            <button
              type="button"
              class="danger"
              onClick={() =>
                code.data && void remove({ kind: 'codes', ids: [id], what: `“${labelOf(code.data)}”` })
              }
            >
              Delete
            </button>
          </>
        )
      }
    >
      {question}
      {isEmbedding && code.data && <EmbedCode code={code.data} onClose={() => setEmbedding(false)} />}
      <Loaded load={code} what="the code">
        {(data) => (
          <div class="code-columns">
            <Picture code={data} />
            <div class="stack">
              {data.slug === null ? (
                <Empty title="This is a static code.">
                  <p>
                    Its content is in the code itself: it cannot be changed after printing, and scans cannot
                    be counted. Make a dynamic code if you need either.
                  </p>
                </Empty>
              ) : (
                <>
                  <ShortLink slug={data.slug} onSlug={code.reload} />
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
