import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { MM_PER_INCH } from '../../../../workers/print/dots.ts';
import type { Area, CaptionArea } from '../../../../workers/sheets/protocol.ts';
import { FOLDER_NAMES, writeCaption } from '../../../csv/caption.ts';
import { gs1ValuesOf } from '../../../gs1/check.ts';
import { cellAt, labelArea, pagesFor } from '../../../sheets/grid.ts';
import { resolveSheet, type Sheet } from '../../../sheets/sheet.ts';
import { BASE } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { linkTo } from '../../ui/buttons.tsx';
import { count } from '../../ui/format.ts';
import { useSession } from '../../ui/hooks.ts';
import { Above, Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { Thumbnail, thumbnailUrl } from '../codes/thumbnail.tsx';
import { DownloadPane } from './download-pane.tsx';
import { type Draft, firstFor, keepUsed, lastUsed, toRequest } from './draft.ts';
import { SheetForm } from './form.tsx';
import { type LabelledCode, readChosen, readFolder, type Source } from './source.ts';

/** More labels than these are too small to be seen. */
const SHOWN_MAX = 200;
const MM_PER_PT = MM_PER_INCH / 72;
const LINE_HEIGHT = 1.2;
/** Files are named by the index and the words of the content; the preview shows the index. */
const fileOf = (index: number): string => `${String(index).padStart(5, '0')}-….png`;

/** Places something on the paper, in shares of it. */
const styleOn = ({ grid, outsetMm }: Sheet, { xMm, yMm, widthMm, heightMm }: Area): JSX.CSSProperties => {
  const [width, height] = [grid.widthMm + 2 * outsetMm, grid.heightMm + 2 * outsetMm];
  return {
    left: `${((xMm + outsetMm) / width) * 100}%`,
    top: `${((yMm + outsetMm) / height) * 100}%`,
    width: `${(widthMm / width) * 100}%`,
    height: `${(heightMm / height) * 100}%`,
  };
};

const shift = (area: Area, by: Area): Area => ({
  ...area,
  xMm: area.xMm + by.xMm,
  yMm: area.yMm + by.yMm,
});

interface CaptionProps {
  readonly sheet: Sheet;
  readonly area: CaptionArea;
  readonly at: Area;
  readonly text: string;
}

const Caption = ({ sheet, area, at, text }: CaptionProps) => {
  // The paper is the container, so a hundredth of its width is a hundredth of the page.
  const size = ((area.sizePt * MM_PER_PT) / (sheet.grid.widthMm + 2 * sheet.outsetMm)) * 100;
  const style = {
    ...styleOn(sheet, shift(area, at)),
    fontSize: `${size}cqw`,
    lineHeight: LINE_HEIGHT,
    textAlign: area.align,
  };
  return (
    <div class="label-caption" style={style}>
      <span style={{ '-webkit-line-clamp': area.linesMax }} class={area.align}>
        {text}
      </span>
    </div>
  );
};

/**
 * Shows a code as it is printed: of a label printer each module has the same whole number of dots, so that the code may
 * be smaller than its place.
 */
const Picture = ({ id, sheet: { label, dpi } }: { readonly id: string; readonly sheet: Sheet }) => {
  const { widthMm } = label.code;
  const [share, setShare] = useState(1);
  if (dpi === null) return <Thumbnail src={thumbnailUrl(id)} />;
  const query = new URLSearchParams({ width_mm: `${widthMm}`, dpi: `${dpi}`, round: 'down' });
  const src = `${BASE}api/v1/codes/${id}/image?${query}`;
  return (
    <Thumbnail
      key={src}
      src={src}
      style={{ transform: `scale(${share})` }}
      onWidth={(widthDots) => setShare((widthDots * MM_PER_INCH) / dpi / widthMm)}
    />
  );
};

interface PreviewProps {
  readonly sheet: Sheet;
  readonly codes: readonly LabelledCode[];
  readonly codeCount: number;
}

/**
 * Shows the first page, laid out by the code that lays out the file; only the breaks of lines may differ, and colours,
 * which label printers do not have. Codes beyond `codes` are drawn as empty squares.
 */
const Preview = ({ sheet, codes, codeCount }: PreviewProps) => {
  const { grid, label, caption, startAt, order, copies, outsetMm } = sheet;
  const ratio = (grid.widthMm + 2 * outsetMm) / (grid.heightMm + 2 * outsetMm);
  const places = Math.min(grid.columns * grid.rows, SHOWN_MAX);
  const used = Array.from({ length: places }, (_, place) => {
    const at = labelArea(grid, cellAt(grid, order, place));
    const index = Math.floor((place - (startAt - 1)) / copies);
    return { at, index: index >= 0 && index < codeCount ? index : null };
  });
  const captionOf = (
    { id, content, name, external_id: externalId, slug }: LabelledCode,
    index: number,
  ): string =>
    caption === null
      ? ''
      : writeCaption(caption, {
          content,
          name: name ?? '',
          external_id: externalId ?? '',
          id: externalId ?? id,
          slug: slug ?? '',
          file: fileOf(index + 1),
          index: String(index + 1),
          ...gs1ValuesOf(content),
        });
  return (
    <div class="paper" style={{ aspectRatio: `${ratio}`, maxWidth: `calc(75vh * ${ratio})` }}>
      {used.map(({ at, index }, place) => {
        const code = index === null ? undefined : codes[index];
        return (
          <div key={place}>
            <div class="label" style={styleOn(sheet, at)} />
            {index !== null && (
              <div
                class={`label-code ${code ? '' : 'unknown'}`}
                style={styleOn(sheet, shift(label.code, at))}
              >
                {code && <Picture key={code.id} id={code.id} sheet={sheet} />}
              </div>
            )}
            {index !== null && code && label.caption && (
              <Caption sheet={sheet} area={label.caption} at={at} text={captionOf(code, index)} />
            )}
          </div>
        );
      })}
      {sheet.marks.map(({ x1Mm, y1Mm, x2Mm, y2Mm }) => (
        <div
          key={`${x1Mm} ${y1Mm}`}
          class="mark"
          style={styleOn(sheet, { xMm: x1Mm, yMm: y1Mm, widthMm: x2Mm - x1Mm, heightMm: y2Mm - y1Mm })}
        />
      ))}
    </div>
  );
};

interface SheetsProps {
  readonly source: Source;
}

/** The form on one side, the first page and the download on the other. */
const Sheets = ({ source }: SheetsProps) => {
  const { codes } = source;
  const { id: accountId } = useSession().account;
  const [draft, setDraft] = useState(() => lastUsed(accountId) ?? firstFor(codes));
  const request = toRequest(draft);
  const sheet = resolveSheet(request, FOLDER_NAMES, draft.format);
  const form = {
    draft,
    fault: sheet.ok ? null : sheet.fault,
    change: (changed: Partial<Draft>) => {
      const next = { ...draft, ...changed };
      setDraft(next);
      keepUsed(accountId, next);
    },
  };
  const pages = sheet.ok
    ? pagesFor(sheet.value.grid, source.count * (draft.copies ?? 1), sheet.value.startAt)
    : 0;
  const nameless = draft.caption.includes('{name}') ? codes.filter(({ name }) => name === null).length : 0;
  return (
    <>
      <p class="muted">
        {count(source.count, 'code', 'codes')}
        {sheet.ok && ` ${say('on {pages}', { pages: count(pages, 'page', 'pages') })}`}
      </p>
      <div class="labels">
        <SheetForm form={form} />
        <div class="labels-side">
          <Card title={say('First page')}>
            {sheet.ok ? (
              <Preview sheet={sheet.value} codes={codes} codeCount={source.count} />
            ) : (
              <p class="muted">{say('Correct the form to see the page.')}</p>
            )}
            {nameless > 0 && (
              <p class="notice">
                {nameless === codes.length
                  ? say('None of these codes has a name.')
                  : say('Without a name: {nameless} of the first {codes}.', {
                      nameless,
                      codes: count(codes.length, 'code', 'codes'),
                    })}
              </p>
            )}
          </Card>
          <DownloadPane
            source={source}
            format={draft.format}
            request={sheet.ok ? request : null}
            pages={pages}
          />
        </div>
      </div>
    </>
  );
};

/** Makes sheets of labels of a folder, or of codes that were chosen in a list. */
export default function Labels({ id }: { readonly id?: string; readonly path: string }) {
  const load = useRead(['labels', id], (signal) =>
    id === undefined ? Promise.resolve(readChosen()) : readFolder(id, signal),
  );
  const { path, name } = load.data?.above ?? { path: '/folders', name: say('Folder') };
  return (
    <Page title={say('Labels')} above={<Above path={path} name={name} />}>
      <Loaded load={load} what={say('the codes')}>
        {(source) => {
          if (source.count > 0) return <Sheets key={source.path} source={source} />;
          return id === undefined ? (
            <Empty title={say('No codes are chosen.')}>
              <p>
                {sayWith('Select codes in <link>the list</link>, and choose <em>Labels</em> there.', {
                  link: linkTo('/codes'),
                  em: (words) => <em>{words}</em>,
                })}
              </p>
            </Empty>
          ) : (
            <Empty title={say('This folder is empty.')} />
          );
        }}
      </Loaded>
    </Page>
  );
}
