import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, toScreenPath } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Code, CodeWithDesign } from '../../api/shapes.ts';
import { Button, ButtonLink, Danger, Primary, Quiet, useAction } from '../../ui/buttons.tsx';
import { formatMoment } from '../../ui/format.ts';
import { useMedia } from '../../ui/hooks.ts';
import { Above, Card, Page } from '../../ui/page.tsx';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { EmbedCode } from '../keys/embed-signed.tsx';
import { ItemOfCode } from '../links/item-of-code.tsx';
import { LeadsTo } from '../links/leads-to.tsx';
import { PrintCode } from '../print/codes.tsx';
import { CodeScans } from '../scans/report.tsx';
import { RenameCode, useDeletion } from './edit.tsx';
import { Quality } from './quality.tsx';
import { ShortLink } from './short-link.tsx';
import { Labels } from './tags.tsx';
import { imageUrl, labelOf, pictureVersion } from './thumbnail.tsx';

const CodeName = ({ code }: { readonly code: Code }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Quiet onClick={() => setOpen(true)}>{code.name === null ? say('Add a name') : say('Rename')}</Quiet>
      {isOpen && <RenameCode code={code} onClose={() => setOpen(false)} />}
    </>
  );
};

/** Draws the code of an imported link, which has no picture until then. */
const FirstPicture = ({ id }: { readonly id: string }) => {
  const { run, busy, fault } = useAction();
  const draw = () => change(api.POST('/api/v1/codes/{id}/picture', { params: { path: { id } }, body: {} }));
  return (
    <Empty title={say('This link was imported, so its code has no picture yet.')}>
      <p>{say('Drawing it costs one unit. After that, you can change the design for free.')}</p>
      {fault && <Failure fault={fault} />}
      <Primary disabled={busy} onClick={() => void run(draw)}>
        {say('Draw the code')}
      </Primary>
    </Empty>
  );
};

interface PictureProps {
  readonly code: CodeWithDesign;
  readonly onPrint: () => void;
}

/** Downloads the code: at once as it was designed, or in a size and format of choice. */
const Downloads = ({ code, onPrint }: PictureProps) => (
  <div class="row">
    <Primary onClick={onPrint}>{say('Download …')}</Primary>
    <ButtonLink href={imageUrl(code.id, 'png')} download>
      PNG
    </ButtonLink>
    <ButtonLink href={imageUrl(code.id, 'svg')} download>
      SVG
    </ButtonLink>
  </div>
);

const Picture = ({ code, onPrint }: PictureProps) => (
  <Card>
    {code.grade === null ? (
      <FirstPicture id={code.id} />
    ) : (
      <>
        <div class="code-picture">
          <img
            src={imageUrl(code.id, 'png', 600, pictureVersion(code))}
            alt={say('QR code of {shortUrl}', { shortUrl: code.short_url ?? code.content })}
            width={600}
            height={600}
          />
        </div>
        <Downloads code={code} onPrint={onPrint} />
      </>
    )}
  </Card>
);

const About = ({ code }: { readonly code: CodeWithDesign }) => (
  <Card>
    <dl class="facts">
      <dt>{say('Content')}</dt>
      <dd class="wrap">{code.short_url ?? code.content}</dd>
      {code.slug !== null && <LeadsTo link={{ slug: code.slug, domain: code.domain }} />}
      {code.grade !== null && (
        <>
          <dt>{say('Size')}</dt>
          <dd>
            {code.width} × {code.height} px
          </dd>
        </>
      )}
      <dt>{say('Made')}</dt>
      <dd>{formatMoment(code.created_at)}</dd>
    </dl>
    <Labels code={code} />
  </Card>
);

const Static = ({ content }: { readonly content: string }) => (
  <ItemOfCode content={content}>
    <Empty title={say('This is a static code.')}>
      <p>
        {say(
          'Its content is in the code itself, so it cannot be changed after printing and scans cannot be counted. Make a dynamic code if you need either.',
        )}
      </p>
    </Empty>
  </ItemOfCode>
);

/** The cards of a code: beside each other, or on a phone below each other, with what people look for first on top. */
const Cards = ({ code, onPrint }: PictureProps) => {
  const isWide = useMedia('(min-width: 60rem)');
  const link = code.slug === null ? null : { slug: code.slug, domain: code.domain };
  const scans = link && <CodeScans id={code.id} />;
  const picture = <Picture code={code} onPrint={onPrint} />;
  const leads = link ? <ShortLink link={link} /> : <Static content={code.content} />;
  const about = <About code={code} />;
  const quality = code.grade !== null && <Quality code={code} />;
  if (!isWide)
    return (
      <div class="stack">
        {picture}
        {scans}
        {leads}
        {quality}
        {about}
      </div>
    );
  return (
    <div class="code-columns">
      <div class="stack">
        {picture}
        {link && quality}
        {about}
      </div>
      <div class="stack">
        {leads}
        {scans ?? quality}
      </div>
    </div>
  );
};

const Actions = ({ code }: { readonly code: CodeWithDesign }) => {
  const { route } = useLocation();
  const [isEmbedding, setEmbedding] = useState(false);
  const { remove, question } = useDeletion(() => route(toScreenPath(`/folders/${code.folder_id}`)));
  return (
    <>
      <ButtonLink href={toScreenPath(`/design?edit=${code.id}`)}>{say('Edit design')}</ButtonLink>
      <ButtonLink href={toScreenPath(`/design?from=${code.id}`)}>{say('Duplicate')}</ButtonLink>
      <Button onClick={() => setEmbedding(true)}>{say('Embed')}</Button>
      <Danger onClick={() => void remove({ kind: 'codes', ids: [code.id], what: `“${labelOf(code)}”` })}>
        {say('Delete')}
      </Danger>
      {question}
      {isEmbedding && <EmbedCode code={code} onClose={() => setEmbedding(false)} />}
    </>
  );
};

/** A link to the folder of a code, by its name. */
const ToFolder = ({ id }: { readonly id: string }) => {
  const { data: folder } = useGet('/api/v1/folders/{id}', { path: { id } });
  // Until the folder is read, there may be that of another code.
  return <Above path={`/folders/${id}`} name={folder?.id === id ? folder.name : say('Folder')} />;
};

/** Shows one saved code: its picture and, for a dynamic code, its destination and its scans. */
export default function CodeScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const code = useGet('/api/v1/codes/{id}', { path: { id } });
  const known = code.data;
  // Not a part of the cards, which begin anew when the width of the window changes their order.
  const [isPrinting, setPrinting] = useState(false);
  return (
    <Page
      title={known?.name ?? (known?.dynamic ? say('Dynamic code') : say('Code'))}
      above={known ? <ToFolder id={known.folder_id} /> : <Above path="/codes" name={say('Codes')} />}
      beside={known && <CodeName code={known} />}
      actions={known && <Actions code={known} />}
    >
      <Loaded load={code} what={say('the code')}>
        {(data) => <Cards code={data} onPrint={() => setPrinting(true)} />}
      </Loaded>
      {known && isPrinting && <PrintCode code={known} onClose={() => setPrinting(false)} />}
    </Page>
  );
}
