import { useEffect, useState } from 'preact/hooks';
import {
  PARAMETERS,
  type ParameterName,
  SHEET_FORMATS,
  type SheetFormat,
} from '../../../../workers/lists.ts';
import type { SheetsRequest } from '../../../sheets/request.ts';
import { asFault, Fault, postJson, saveBlob } from '../../api/client.ts';
import { Button, Primary } from '../../ui/buttons.tsx';
import { count, percent } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Failure, ProgressBar } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { lostInWords } from '../print/words.ts';
import { createPageCount } from './pages.ts';
import type { Source } from './source.ts';

interface Sheets {
  readonly file: Blob;
  readonly format: SheetFormat;
  /** The smallest side of a module in mm when it is too small for phones; else `null`. */
  readonly smallModuleMm: number | null;
  /** What else lowers the grade of a code, in words; '' for nothing. */
  readonly reasons: string;
  /** What labels lost that the form allows; '' when nothing. */
  readonly lost: string;
}

const SMALL = 'small-modules';

/** Puts the header about grades in words. */
const tellWarnings = ({ headers }: Response): Pick<Sheets, 'smallModuleMm' | 'reasons'> => {
  const warnings = (headers.get('tessera-warnings') ?? '').split(', ').map((item) => item.split(';v='));
  const small = warnings.find(([name]) => name === SMALL)?.[1];
  const others = warnings.filter(([name = '']) => name !== '' && name !== SMALL);
  return {
    smallModuleMm: small === undefined ? null : Number(small),
    reasons: others.map(([name]) => PARAMETERS[name as ParameterName].title).join(', '),
  };
};

/**
 * @param onPages Gets the number of pages that are there. Those of label printers are not counted.
 * @throws {Fault} When the request is refused, or the document breaks off. An abort is thrown unchanged.
 */
const downloadSheets = async (
  { path, chosen }: Source,
  format: SheetFormat,
  request: SheetsRequest,
  signal: AbortSignal,
  onPages: (pages: number) => void,
): Promise<Sheets> => {
  const { mediaType } = SHEET_FORMATS[format];
  const response = await postJson(
    path,
    { ...chosen, ...request },
    { signal, headers: { accept: mediaType } },
  );
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
    if (format === 'pdf') onPages(countPages(value));
  }
  return {
    ...{ file: new Blob(chunks, { type: mediaType }), format },
    ...tellWarnings(response),
    lost: lostInWords(response.headers).join(' '),
  };
};

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly abort: AbortController; readonly done: number }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | ({ readonly kind: 'done' } & Omit<Sheets, 'file'>);

interface DownloadPaneProps {
  readonly source: Source;
  readonly format: SheetFormat;
  /** `null`: the form has a fault. */
  readonly request: SheetsRequest | null;
  readonly pages: number;
}

export const DownloadPane = ({ source, format, request, pages }: DownloadPaneProps) => {
  const [state, setState] = useState<State>({ kind: 'ready' });
  const abort = state.kind === 'running' ? state.abort : null;
  useEffect(() => () => abort?.abort(), [abort]);

  const start = async (wanted: SheetsRequest): Promise<void> => {
    const running = new AbortController();
    const follow = (done: number) => setState({ kind: 'running', abort: running, done });
    follow(0);
    try {
      const { file, ...sheets } = await downloadSheets(source, format, wanted, running.signal, follow);
      saveBlob(`${source.name}.${format}`, file);
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
          {say('Download {pages} ({format})', {
            pages: count(pages, 'page', 'pages'),
            format: SHEET_FORMATS[format].name,
          })}
        </Primary>
        {state.kind === 'running' && <Button onClick={() => state.abort.abort()}>{say('Stop')}</Button>}
      </div>
      {state.kind === 'running' && (
        <>
          <ProgressBar share={format === 'pdf' ? state.done / pages : null} label={say('Pages')} />
          <p role="status">
            {format === 'pdf'
              ? say('{done} of {pages}. Keep this page open.', {
                  done: Math.min(state.done, pages),
                  pages: count(pages, 'page', 'pages'),
                })
              : say('The file is made. Keep this page open.')}
          </p>
        </>
      )}
      {state.kind === 'failed' && <Failure fault={state.fault} />}
      {state.kind === 'done' && (
        <p role="status">
          {say('Downloaded.')} {state.lost}{' '}
          {state.reasons !== '' &&
            say('In black and white, some codes may be hard to scan: {reasons}.', {
              reasons: state.reasons,
            })}{' '}
          {state.smallModuleMm !== null
            ? say(
                'Some modules are {mm} mm; phones need {needed} mm. Use larger labels or shorter contents.',
                { mm: state.smallModuleMm, needed: 0.33 },
              )
            : state.format === 'pdf'
              ? say('Print at actual size ({all}).', { all: percent(1) })
              : say('Send the file to the printer as it is.')}
        </p>
      )}
    </Card>
  );
};
