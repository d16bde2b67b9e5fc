import { useEffect, useState } from 'preact/hooks';
import type { SheetsRequest } from '../../../sheets/request.ts';
import { asFault, Fault, postJson, saveBlob } from '../../api/client.ts';
import { Button, Primary } from '../../ui/buttons.tsx';
import { count } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { createPageCount } from './pages.ts';
import type { Source } from './source.ts';

interface Progress {
  readonly done: number;
  readonly pages: number;
}

interface Sheets {
  readonly pdf: Blob;
  /** The smallest side of a module in mm when it is too small for phones; else `null`. */
  readonly smallModuleMm: number | null;
  /** What labels lost that the form allows; '' when nothing. */
  readonly lost: string;
}

/** Puts the headers about captions and missing codes in words. */
const tellLost = ({ headers }: Response): string => {
  const captions = headers.get('tessera-captions') ?? '';
  const [, cut = '0', glyphs = '0'] = /cut=(\d+), glyphs=(\d+)/.exec(captions) ?? [];
  const [, codes = '0', which = ''] =
    /^(\d+);indexes="(.*)"/.exec(headers.get('tessera-missing-codes') ?? '') ?? [];
  return [
    cut !== '0' && say('{captions} cut.', { captions: count(Number(cut), 'caption', 'captions') }),
    glyphs !== '0' && say('{captions} with □.', { captions: count(Number(glyphs), 'caption', 'captions') }),
    codes !== '0' &&
      say('{codes} missing: {which}.', { codes: count(Number(codes), 'code', 'codes'), which }),
  ]
    .filter(Boolean)
    .join(' ');
};

/** @throws {Fault} When the request is refused, or the document breaks off. An abort is thrown unchanged. */
const downloadSheets = async (
  { path, chosen }: Source,
  request: SheetsRequest,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Sheets> => {
  const response = await postJson(path, { ...chosen, ...request }, { signal });
  const pages = Number(response.headers.get('tessera-pages'));
  const [, small] = /small-modules;v=([\d.]+)/.exec(response.headers.get('tessera-warnings') ?? '') ?? [];
  const countPages = createPageCount();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new Fault(0, say('The download broke off'), say('try again'));
    });
    if (done) break;
    chunks.push(value);
    onProgress({ done: Math.min(pages, countPages(value)), pages });
  }
  return {
    pdf: new Blob(chunks, { type: 'application/pdf' }),
    smallModuleMm: small === undefined ? null : Number(small),
    lost: tellLost(response),
  };
};

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly abort: AbortController; readonly progress: Progress | null }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | ({ readonly kind: 'done' } & Omit<Sheets, 'pdf'>);

interface DownloadPaneProps {
  readonly source: Source;
  /** `null`: the form has a fault. */
  readonly request: SheetsRequest | null;
  readonly pages: number;
}

export const DownloadPane = ({ source, request, pages }: DownloadPaneProps) => {
  const [state, setState] = useState<State>({ kind: 'ready' });
  const abort = state.kind === 'running' ? state.abort : null;
  useEffect(() => () => abort?.abort(), [abort]);

  const start = async (wanted: SheetsRequest): Promise<void> => {
    const running = new AbortController();
    setState({ kind: 'running', abort: running, progress: null });
    try {
      const { pdf, ...sheets } = await downloadSheets(source, wanted, running.signal, (progress) =>
        setState({ kind: 'running', abort: running, progress }),
      );
      saveBlob(`${source.name}.pdf`, pdf);
      setState({ kind: 'done', ...sheets });
    } catch (error) {
      setState(running.signal.aborted ? { kind: 'ready' } : { kind: 'failed', fault: asFault(error) });
    }
  };

  return (
    <Card title={say('Download')}>
      <div class="actions">
        <Primary
          disabled={request === null || pages === 0 || state.kind === 'running'}
          onClick={() => request && void start(request)}
        >
          {say('Download {pages} (PDF)', { pages: count(pages, 'page', 'pages') })}
        </Primary>
        {state.kind === 'running' && <Button onClick={() => state.abort.abort()}>{say('Stop')}</Button>}
      </div>
      {state.kind === 'running' && (
        <>
          <progress max={pages} value={state.progress?.done ?? 0} aria-label={say('Pages')} />
          <p role="status">
            {say('{done} of {pages}. Keep this page open.', {
              done: state.progress?.done ?? 0,
              pages: count(pages, 'page', 'pages'),
            })}
          </p>
        </>
      )}
      {state.kind === 'failed' && <Failure fault={state.fault} />}
      {state.kind === 'done' && (
        <p role="status">
          {say('Downloaded.')} {state.lost}{' '}
          {state.smallModuleMm === null
            ? say('Print at actual size (100 %).')
            : say(
                'Some modules are {mm} mm; phones need {needed} mm. Use larger labels or shorter contents.',
                { mm: state.smallModuleMm, needed: 0.33 },
              )}
        </p>
      )}
    </Card>
  );
};
