import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../../../api/client.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { BASE, screen } from '../../../base.ts';
import { useSession } from '../../../session.ts';
import { Failure } from '../../../ui/states.tsx';
import { useLoad } from '../../../ui/use-load.ts';
import { type FieldFault, toFieldFault } from '../../designer/draft.ts';
import { usePreview } from '../../designer/use-preview.ts';
import { FORMATS } from '../../download/file-choice.ts';
import { Columns } from '../columns/columns.tsx';
import { type ChosenColumns, useColumns } from '../columns/use-columns.ts';
import { ChosenFile, useRowCount } from './chosen-file.tsx';
import { DesignChoice } from './design.tsx';
import type { FileKind } from './file-kind.ts';
import { termsOf } from './obstacle.ts';
import { usePresets } from './preset-choice.tsx';
import type { BatchChoice } from './send-batch.ts';
import { Settings } from './settings.tsx';
import { StartPane } from './start-pane.tsx';
import { useFormats } from './use-formats.ts';
import { useUpload } from './use-upload.ts';

/** Has the length of every short link, so that the example has as many modules as the codes of most batches. */
const EXAMPLE = `${location.origin}${BASE}l/Preview0`;

const toDesign = ({ data: _, ...design }: QrRequest): BatchChoice['design'] => design;

/** Faults of a design begin with `Design.` when a batch is refused for it. */
const toDesignFault = (details: string): FieldFault | null => toFieldFault(details.replace(/^Design\./, ''));

const WITHOUT_PRESET: QrRequest = { data: EXAMPLE, width: 600, height: 600 };

/** Returns the request that a preset stands for. Lists have no logos, so it is loaded once more. */
const requestOf = async (presetId: string, signal: AbortSignal): Promise<QrRequest> => {
  const path = { params: { path: { id: presetId } }, signal };
  const { options } = await ask(api.GET('/api/v1/presets/{id}', path));
  return { ...options, data: EXAMPLE };
};

/** Holds what a person chooses, and the request that the example is drawn from. */
const useChoice = (folderName: string) => {
  const [request, setRequest] = useState<QrRequest>(WITHOUT_PRESET);
  const presets = usePresets();
  const { chosen } = presets;
  const preset = useLoad(
    async (signal) => (chosen === null ? WITHOUT_PRESET : requestOf(chosen, signal)),
    [chosen],
  );
  useEffect(() => {
    if (preset.state === 'ready') setRequest(preset.data);
  }, [preset.data]);
  const [settings, setSettings] = useState<Omit<BatchChoice, 'design' | 'columns'>>({
    folderName,
    formats: ['png'],
    onError: 'skip',
  });
  return {
    request,
    setRequest,
    presets,
    presetFault: preset.fault,
    choice: { ...settings, design: toDesign(request) },
    change: (changed: Partial<BatchChoice>) => setSettings((before) => ({ ...before, ...changed })),
  };
};

/** The columns of a file that has some, or why they are not known. Then the file may be sent nevertheless. */
const ColumnsOfFile = ({
  columns: { load, preview, mapping, setMapping },
}: {
  readonly columns: ReturnType<typeof useColumns>;
}) => (
  <>
    {preview !== null && <Columns preview={preview} mapping={mapping} onMapping={setMapping} />}
    {load.fault && (
      <p class="notice" role="status">
        {load.fault.details.replace(/^body: /, 'This file ') || load.fault.message}
      </p>
    )}
  </>
);

/** The folder, the formats and the preset, with what hinders the preset. */
const SettingsOf = ({
  chosen: { choice, presets, presetFault, change },
}: {
  readonly chosen: ReturnType<typeof useChoice>;
}) => {
  const formats = useFormats();
  return (
    <>
      <Settings
        choice={choice}
        offered={formats.data ?? FORMATS.slice(0, 1)}
        presets={presets}
        onChange={change}
      />
      {presetFault !== null && <Failure fault={presetFault} />}
    </>
  );
};

/** Asks what becomes of the rows of a file, sends it as a batch, and leads to the batch's screen. */
export const BatchForm = ({
  file,
  kind,
  chosen = null,
  folderName,
  left,
  onOther,
}: {
  readonly file: File;
  readonly kind: FileKind;
  /** Its columns, when they were chosen before. */
  readonly chosen?: ChosenColumns | null;
  /** A name for the folder to begin with. */
  readonly folderName: string;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  /** Called when a person wants another file. */
  readonly onOther: () => void;
}) => {
  const session = useSession();
  const { route } = useLocation();
  const columns = useColumns(file, kind, chosen);
  const counted = useRowCount(file, kind);
  const rows = columns.rows ?? counted;
  const asked = useChoice(folderName);
  const { request, setRequest, choice } = asked;
  const preview = usePreview(request);
  const { state, start, stop } = useUpload(file, kind, ({ id }) => route(screen(`/batches/${id}`)));
  const refused = state.kind === 'failed' ? state.fault : preview.fault;

  const { hindered, cost } = termsOf(session, rows, left, choice.folderName);
  const isReading = columns.load.state === 'loading' && kind.format !== 'ndjson';

  return (
    <div class="designer batch-form">
      {/* What is being sent cannot be changed. */}
      <div class="designer-form" inert={state.kind === 'sending'}>
        <ChosenFile {...{ file, kind, rows }} onOther={state.kind === 'sending' ? null : onOther} />
        <ColumnsOfFile columns={columns} />
        <SettingsOf chosen={asked} />
        <DesignChoice request={request} fault={toDesignFault(refused?.details ?? '')} onChange={setRequest} />
      </div>
      <div class="designer-side">
        <StartPane
          preview={preview}
          upload={state}
          hindered={hindered ?? columns.hindered ?? (isReading ? 'Reading the columns …' : null)}
          cost={cost}
          onStart={() =>
            void start({ ...choice, columns: columns.query, folderName: choice.folderName.trim() })
          }
          onStop={stop}
        />
      </div>
    </div>
  );
};
