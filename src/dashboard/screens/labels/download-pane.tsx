import { useEffect, useState } from 'preact/hooks';
import type { SheetsRequest } from '../../../sheets/request.ts';
import type { Fault } from '../../api/client.ts';
import { number } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { asFault } from '../../ui/use-load.ts';
import { saveBlob } from '../download/save-file.ts';
import { downloadSheets, type Progress } from './download.ts';

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly abort: AbortController; readonly progress: Progress | null }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'done'; readonly smallModuleMm: number | null };

const Advice = ({ smallModuleMm }: { readonly smallModuleMm: number | null }) =>
  smallModuleMm === null ? (
    <p role="status">Downloaded. Print at actual size (100 %).</p>
  ) : (
    <p role="status">
      Downloaded. Some modules are {smallModuleMm} mm; phones need 0.33 mm. Take larger labels or shorter
      contents.
    </p>
  );

/** Downloads the sheets, and shows how far the download is. */
export const DownloadPane = ({
  folder,
  request,
  pages,
}: {
  readonly folder: { readonly id: string; readonly name: string };
  /** `null`: the form has a fault. */
  readonly request: SheetsRequest | null;
  readonly pages: number;
}) => {
  const [state, setState] = useState<State>({ kind: 'ready' });
  const abort = state.kind === 'running' ? state.abort : null;
  useEffect(() => () => abort?.abort(), [abort]);

  const start = async (wanted: SheetsRequest): Promise<void> => {
    const running = new AbortController();
    setState({ kind: 'running', abort: running, progress: null });
    try {
      const sheets = await downloadSheets(folder.id, wanted, running.signal, (progress) =>
        setState({ kind: 'running', abort: running, progress }),
      );
      saveBlob(`${folder.name}.pdf`, sheets.pdf);
      setState({ kind: 'done', smallModuleMm: sheets.smallModuleMm });
    } catch (error) {
      setState(running.signal.aborted ? { kind: 'ready' } : { kind: 'failed', fault: asFault(error) });
    }
  };

  return (
    <Card title="Download">
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={request === null || pages === 0 || state.kind === 'running'}
          onClick={() => request && void start(request)}
        >
          Download {number(pages)} {pages === 1 ? 'page' : 'pages'} (PDF)
        </button>
        {state.kind === 'running' && (
          <button type="button" onClick={() => state.abort.abort()}>
            Stop
          </button>
        )}
      </div>
      {state.kind === 'running' && (
        <>
          <progress max={pages} value={state.progress?.done ?? 0} aria-label="Pages" />
          <p role="status">
            {number(state.progress?.done ?? 0)} of {number(pages)} pages. Keep this page open.
          </p>
        </>
      )}
      {state.kind === 'failed' && <Failure fault={state.fault} />}
      {state.kind === 'done' && <Advice smallModuleMm={state.smallModuleMm} />}
    </Card>
  );
};
