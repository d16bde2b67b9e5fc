import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BASE, type Fault, toScreenPath } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { count, formatSize } from '../../../ui/format.ts';
import { useSession } from '../../../ui/hooks.ts';
import { Failure } from '../../../ui/states.tsx';
import { type FieldFault, toFieldFault, withField } from '../../designer/draft.ts';
import { DesignContext } from '../../designer/options/field.tsx';
import { Options } from '../../designer/options/options.tsx';
import { designOf } from '../../designer/presets.tsx';
import { usePreview } from '../../designer/preview.tsx';
import { LookList } from '../../designer/thumbnail.tsx';
import { quoteOf } from '../words.ts';
import { type ChosenColumns, EncodingChoice, isOfEncoding } from './columns.tsx';
import { countRows, type FileKind, formatInWords, type RowCount } from './file.ts';
import { toPictureRequest } from './mapping.ts';
import { RowsOfFile, useRows } from './rows-of-file.tsx';
import { RepeatsCard, Settings, usePresets } from './settings.tsx';
import { type BatchChoice, StartPane, useBatchUpload } from './upload.tsx';

/** Counts the rows of a file in the background. Those of a spreadsheet are unknown. */
const useRowCount = (file: File, kind: FileKind): RowCount => {
  const isKnown = kind.format !== 'xlsx';
  const { data, error } = useRead(
    ['rows', file.name, file.size, file.lastModified],
    (signal) => countRows(file, kind, { signal }),
    { ...ONCE, enabled: isKnown },
  );
  return isKnown && error === null ? (data ?? null) : 'unknown';
};

const rowsInWords = (rows: RowCount): string => {
  if (rows === null) return 'counting rows …';
  return rows === 'unknown' ? 'its rows are counted when it is sent' : count(rows, 'row');
};

interface ChosenFileProps {
  readonly file: File;
  readonly kind: FileKind;
  readonly rows: RowCount;
  /** Called when a person wants another file; without it none can be chosen now. */
  readonly onOther: (() => void) | null;
}

const ChosenFile = ({ file, kind, rows, onOther }: ChosenFileProps) => (
  <section class="card chosen-file" aria-label="File">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 2h8l5 5v15H6zM14 2v5h5M9 12h7M9 16h7" />
    </svg>
    <span class="file-name">
      <strong class="wrap">{file.name}</strong>
      <span class="muted small" role="status">
        {formatInWords(kind)} · {formatSize(file.size)} · {rowsInWords(rows)}
      </span>
    </span>
    {onOther && <Quiet onClick={onOther}>Choose another file</Quiet>}
  </section>
);

interface DesignChoiceProps {
  readonly request: QrRequest;
  readonly fault: FieldFault | null;
  readonly onChange: (request: QrRequest) => void;
}

/** Lets a person choose the design of all rows: a style, and all options behind a fold. */
const DesignChoice = ({ request, fault, onChange }: DesignChoiceProps) => {
  const design = {
    request,
    fault,
    set: (path: string, value: unknown) => onChange(withField(request, path, value)),
  };
  return (
    <DesignContext.Provider value={design}>
      <section class="card" aria-labelledby="batch-design">
        <h2 id="batch-design">Design</h2>
        <LookList request={request} onChoose={onChange} />
        <p class="muted small">For all rows. Columns of the file override it for their row.</p>
        <details class="all-options">
          <summary>Size, colours, logo and all other options</summary>
          <div class="stack">
            <Options />
          </div>
        </details>
      </section>
    </DesignContext.Provider>
  );
};

/** Has the length of every short link, so that the example has as many modules as the codes of most batches. */
const EXAMPLE = `${location.origin}${BASE}l/Preview0`;

/** Faults of a design begin with `Design.` when a batch is refused for it. */
const toDesignFault = (details: string): FieldFault | null => toFieldFault(details.replace(/^Design\./, ''));

const WITHOUT_PRESET: QrRequest = { data: EXAMPLE, width: 600, height: 600 };

/** Holds what a person chooses, and the request that the example is drawn from. */
const useChoice = (folderName: string) => {
  const [request, setRequest] = useState<QrRequest>(WITHOUT_PRESET);
  const presets = usePresets();
  const { chosen } = presets;
  // Lists have no logos, so it is loaded once more.
  const preset = useRead(
    ['design', chosen],
    async (signal) => (chosen === null ? WITHOUT_PRESET : designOf(chosen, EXAMPLE, signal)),
    ONCE,
  );
  useEffect(() => {
    if (preset.data) setRequest(preset.data);
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
    presetFault: preset.error,
    choice: settings,
    change: (changed: Partial<BatchChoice>) => setSettings((before) => ({ ...before, ...changed })),
  };
};

interface RowsProps {
  readonly of: ReturnType<typeof useRows>;
  /** Why the file cannot be read, if it cannot. */
  readonly unclear: Fault | null;
  readonly onChoose: (encoding: string) => void;
}

/** Shows the rows of the file or, where its encoding is unclear, how they read in several. */
const Rows = ({ of, unclear, onChoose }: RowsProps) =>
  isOfEncoding(unclear) ? (
    <EncodingChoice key={unclear.details} fault={unclear} onChoose={onChoose} />
  ) : (
    <RowsOfFile of={of} />
  );

interface BatchFormProps {
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
}

/** Asks what becomes of the rows of a file, sends it as a batch, and leads to the batch's screen. */
export const BatchForm = ({
  file,
  kind: known,
  chosen = null,
  folderName,
  left,
  onOther,
}: BatchFormProps) => {
  const [kind, setKind] = useState(known);
  const session = useSession();
  const { route } = useLocation();
  const { request, setRequest, presets, presetFault, choice, change } = useChoice(folderName);
  const columns = useRows(file, kind, chosen, request);
  const counted = useRowCount(file, kind);
  const rows = columns.rows ?? counted;
  const preview = usePreview(toPictureRequest(request, columns.choice, columns.composed.rows));
  const { state, start, stop } = useBatchUpload(file, ({ id }) => route(toScreenPath(`/batches/${id}`)));
  const sendFault = state.kind === 'failed' ? state.fault : null;
  // Only the beginning of the file is read before it is sent.
  const unclear =
    columns.load.error ?? (state.kind === 'failed' && state.choice.kind === kind ? sendFault : null);
  const refused = state.kind === 'failed' ? state.fault : preview.fault;

  const { obstacle, cost } = quoteOf(session, rows, left, choice.folderName);
  const isReading = columns.load.isFetching && kind.format !== 'ndjson';
  const unready = isOfEncoding(unclear)
    ? 'Choose the encoding of the file first.'
    : (columns.obstacle ?? (isReading ? 'Reading the columns …' : null));

  return (
    <div class="batch-form">
      {/* What is being sent cannot be changed. */}
      <div inert={state.kind === 'sending'}>
        <ChosenFile file={file} kind={kind} rows={rows} onOther={state.kind === 'sending' ? null : onOther} />
        <Rows of={columns} unclear={unclear} onChoose={(encoding) => setKind({ ...kind, encoding })} />
        <RepeatsCard of={columns} rows={rows} />
        <Settings choice={choice} presets={presets} onChange={change} />
        {presetFault !== null && <Failure fault={presetFault} />}
        <DesignChoice request={request} fault={toDesignFault(refused?.details ?? '')} onChange={setRequest} />
      </div>
      <div class="batch-side">
        <StartPane
          preview={preview}
          upload={state}
          obstacle={obstacle ?? unready}
          cost={cost}
          onStart={() =>
            void start({
              ...choice,
              kind,
              design: columns.design,
              columns: columns.query,
              folderName: choice.folderName.trim(),
            })
          }
          onStop={stop}
        />
      </div>
    </div>
  );
};
