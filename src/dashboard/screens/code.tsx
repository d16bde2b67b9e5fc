import { useLocation } from 'preact-iso';
import { api, ask } from '../api/client.ts';
import type { CodeWithDesign } from '../api/shapes.ts';
import { screen } from '../base.ts';
import { moment } from '../ui/format.ts';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { LinkScans } from './code/link-scans.tsx';
import { ShortLink } from './code/short-link.tsx';
import { Download } from './download/download.tsx';
import { useDeletion } from './folders/deletion.ts';
import { imageUrl } from './folders/image-url.ts';

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
      <a class="button" href={imageUrl(code.id, 'png')} download={`${code.id}.png`}>
        PNG
      </a>
      <a class="button" href={imageUrl(code.id, 'svg')} download={`${code.id}.svg`}>
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
  const { remove, fault } = useDeletion(() => route(screen(`/folders/${code.data?.folder_id ?? ''}`)));
  return (
    <Page
      title={code.data?.dynamic ? 'Dynamic code' : 'Code'}
      actions={
        code.data && (
          <>
            <a class="button" href={screen(`/folders/${code.data.folder_id}`)}>
              Open the folder
            </a>
            <button type="button" class="danger" onClick={() => void remove('codes', id, 'The code')}>
              Delete
            </button>
          </>
        )
      }
    >
      {fault && <Failure fault={fault} />}
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
