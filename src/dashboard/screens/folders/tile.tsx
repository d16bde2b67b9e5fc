import type { Code } from '../../api/shapes.ts';
import { BASE, screen } from '../../base.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count } from '../../ui/format.ts';
import { imageUrl } from './image-url.ts';
import { Thumbnail } from './thumbnail.tsx';

/** Returns the address of a short link at this gateway. */
export const shortUrl = (slug: string): string => `${location.origin}${BASE}l/${slug}`;

/** Drops the beginning that most addresses share. */
const shown = (content: string): string => content.replace(/^https?:\/\/(www\.)?/, '');

/** Shows one code in the list of a folder. */
export const Tile = ({ code, onDelete }: { readonly code: Code; readonly onDelete: () => void }) => (
  <li class="tile">
    <a href={screen(`/codes/${code.id}`)} title={code.content}>
      <span class="thumb">
        <Thumbnail id={code.id} version={code.slug ?? undefined} />
      </span>
      <span class="content">{shown(code.content)}</span>
    </a>
    <span class="muted small">{code.dynamic ? count(code.scan_count, 'scan') : 'Static'}</span>
    <div class="row">
      <a class="button" href={imageUrl(code.id, 'png')} download={`${code.id}.png`}>
        PNG
      </a>
      <a class="button" href={imageUrl(code.id, 'svg')} download={`${code.id}.svg`}>
        SVG
      </a>
      {code.slug && <CopyButton text={shortUrl(code.slug)} label="Copy link" />}
      <button type="button" class="quiet danger" onClick={onDelete}>
        Delete<span class="hidden"> {code.content}</span>
      </button>
    </div>
  </li>
);
