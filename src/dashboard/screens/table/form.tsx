/** Asks what becomes of the rows of a file, and sends them as a batch. */
import { useEffect } from 'preact/hooks';
import type { Batch, QrRequest } from '../../api/shapes.ts';
import { useAction } from '../../ui/buttons.tsx';
import { count } from '../../ui/format.ts';
import { useSession } from '../../ui/hooks.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { quoteOf } from '../batches/words.ts';
import { type FieldFault, toFieldFault, withField } from '../designer/draft.ts';
import { DesignContext } from '../designer/options/field.tsx';
import { Options } from '../designer/options/options.tsx';
import { designOf, usePresetList } from '../designer/presets.tsx';
import { usePreview } from '../designer/preview.tsx';
import { LookList } from '../designer/thumbnail.tsx';
import { useTrial } from '../print/sized.ts';
import { Columns } from './columns.tsx';
import { ContentCard } from './content.tsx';
import { batchQuery, type ChangeDraft, type TableDraft } from './draft.ts';
import { FileCard, useRowCount } from './file/file-card.tsx';
import type { RowCount } from './file/rows.ts';
import { useUpload } from './file/uploading.tsx';
import { toPictureRequest } from './mapping.ts';
import { misprintsInWords, Rows } from './rows.tsx';
import { SendPane, type SentChoice, sendTable } from './send.tsx';
import { SettingsCard } from './settings.tsx';
import { useCheck } from './use-check.ts';

interface PartProps {
  readonly draft: TableDraft;
  readonly onDraft: (change: ChangeDraft) => void;
}

interface DesignCardProps {
  readonly request: QrRequest;
  readonly fault: FieldFault | null;
  readonly onChange: (request: QrRequest) => void;
}

/** Lets a person choose the design of all rows: a style, and all options behind a fold. */
const DesignCard = ({ request, fault, onChange }: DesignCardProps) => {
  const design = {
    request,
    fault,
    set: (path: string, value: unknown) => onChange(withField(request, path, value)),
  };
  return (
    <DesignContext.Provider value={design}>
      <section class="card" aria-labelledby="batch-design">
        <h2 id="batch-design">{say('Design')}</h2>
        <LookList request={request} onChoose={onChange} />
        <p class="muted small">
          {say('For all rows. Where a column of the file says otherwise, that holds for its row.')}
        </p>
        <details class="all-options">
          <summary>{say('Size, colours, logo and all other options')}</summary>
          <div class="stack">
            <Options />
          </div>
        </details>
      </section>
    </DesignContext.Provider>
  );
};

/** Faults of a design begin with `Design.` when a batch is refused for it. */
const toDesignFault = (details: string): FieldFault | null => toFieldFault(details.replace(/^Design\./, ''));

/** Begins the design with a preset: at first with the default one of the account. */
const usePreset = ({ draft: { presetId }, onDraft }: PartProps, without: QrRequest) => {
  const { data: presets } = usePresetList();
  const byDefault = presets?.find(({ is_default }) => is_default)?.id ?? null;
  const choose = async (id: string | null): Promise<void> => {
    const request = id === null ? without : await designOf(id, without.data);
    onDraft((now) => ({ ...now, presetId: id, request }));
  };
  const { fault, run } = useAction();
  const isOpen = presetId === undefined && presets !== undefined;
  useEffect(() => {
    if (isOpen) void run(() => choose(byDefault));
  }, [isOpen]);
  return {
    presets: { chosen: presetId ?? null, onChoose: (id: string | null) => void run(() => choose(id)) },
    presetFault: fault,
  };
};

/** Returns why rows cannot be sent yet; otherwise `null`. */
const obstacleOf = ({ obstacle, rows: { length: wrong }, isChecking }: ReturnType<typeof useCheck>) => {
  if (obstacle !== null) return obstacle;
  if (wrong > 0)
    return say(
      {
        one: '{n} row has faults. Correct it or leave it out.',
        other: '{n} rows have faults. Correct them or leave them out.',
      },
      { n: wrong },
    );
  return isChecking ? say('Checking the rows …') : null;
};

const sentOf = (draft: TableDraft, { design, formats, query }: ReturnType<typeof useCheck>): SentChoice => {
  const { kind, changes, settings } = draft;
  const { onError, folderName } = settings;
  const asked = { ...query, ...batchQuery(draft) };
  return { kind, formats, onError, changes, design, query: asked, folderName: folderName.trim() };
};

type Chosen = Pick<TableDraft, 'mapping' | 'content'>;

const isSame = (one: Chosen, other: Chosen): boolean =>
  JSON.stringify([one.mapping, one.content]) === JSON.stringify([other.mapping, other.content]);

interface TableFormProps extends PartProps {
  /** The example of a code without a preset. */
  readonly example: QrRequest;
  /** What was chosen for an earlier file with the same header row; `null`: nothing. */
  readonly recalled: Chosen | null;
  /** Units that are left; `null` while they are not known. */
  readonly left: number | null;
  readonly onOther: () => void;
  readonly onSent: (batch: Batch) => void;
}

interface TableCardsProps extends PartProps, Pick<TableFormProps, 'recalled'> {
  readonly check: ReturnType<typeof useCheck>;
}

/** Shows the columns, what the codes contain, and the rows that are wrong. */
const TableCards = ({ draft, check, recalled, onDraft }: TableCardsProps) => {
  const { read } = draft;
  const { checked, choice, composed, mapping } = check;
  const guess: Chosen = { mapping: read?.columns.map(({ field }) => field) ?? [], content: {} };
  const change = (changed: Partial<TableDraft>) => onDraft((now) => ({ ...now, ...changed }));
  return (
    <>
      {read !== null && (
        <Columns
          read={read}
          mapping={mapping}
          fault={check.columnFault}
          isRecalled={recalled !== null && isSame(recalled, draft) && !isSame(guess, draft)}
          onGuess={() => change(guess)}
          onMapping={(chosen) =>
            change({
              mapping: chosen,
              // A column that was just chosen says it instead.
              ...(choice.isDynamic &&
                chosen.includes('dynamic') && { content: { ...draft.content, isDynamic: false } }),
            })
          }
        />
      )}
      <ContentCard
        choice={choice}
        names={read?.columns.map(({ name }) => name) ?? []}
        mayBeDynamic={check.mayBeDynamic}
        rows={composed}
        fault={check.composeFault}
        onChange={(changed) => change({ content: { ...draft.content, ...changed } })}
      />
      {(read !== null || check.rows.length > 0 || draft.leftOut.length > 0) && (
        <Rows
          draft={draft}
          rows={check.rows}
          misprints={check.misprints}
          checked={checked?.compared_rows || null}
          searched={check.searched}
          mapping={mapping}
          onDraft={onDraft}
        />
      )}
    </>
  );
};

const actionOf = (rows: RowCount): string =>
  typeof rows === 'number'
    ? say('Make {codes}', { codes: count(rows, 'code', 'codes') })
    : say('Make the codes');

export const TableForm = ({ draft, example, recalled, left, onDraft, onOther, onSent }: TableFormProps) => {
  const session = useSession();
  const { request, settings } = draft;
  const check = useCheck(draft);
  const { checked, choice } = check;
  const rows = useRowCount(draft);
  const { presets, presetFault } = usePreset({ draft, onDraft }, example);
  const shown = toPictureRequest(request, choice, checked?.composed ?? null);
  const preview = usePreview(shown);
  const trial = useTrial(check.tried, { kind: 'design', request: shown });
  const { state, start, stop } = useUpload<SentChoice, Batch>(
    { size: draft.bytes },
    (sent, follow) => sendTable(draft, sent, follow),
    onSent,
  );
  const isSending = state.kind === 'sending';
  const sendFault = state.kind === 'failed' ? state.fault : null;
  const refused = sendFault ?? preview.fault;
  const { obstacle, cost } = quoteOf(session, rows, left, settings.folderName);
  const change = (changed: Partial<TableDraft>) => onDraft((now) => ({ ...now, ...changed }));

  return (
    <div class="batch-form">
      {/* What is being sent cannot be changed. */}
      <div inert={isSending}>
        <FileCard draft={draft} rows={rows} fault={sendFault} onDraft={onDraft} onOther={onOther} />
        <TableCards draft={draft} check={check} recalled={recalled} onDraft={onDraft} />
        <SettingsCard
          settings={settings}
          check={check}
          rows={rows}
          presets={presets}
          trial={trial}
          onChange={(changed) => change({ settings: { ...settings, ...changed } })}
        />
        {presetFault !== null && <Failure fault={presetFault} />}
        <DesignCard
          request={request}
          fault={toDesignFault(refused?.details ?? '')}
          onChange={(changed) => change({ request: changed })}
        />
      </div>
      <div class="batch-side">
        <SendPane
          preview={preview}
          trial={trial}
          upload={state}
          action={actionOf(rows)}
          obstacle={obstacle ?? obstacleOf(check)}
          cost={cost}
          warning={misprintsInWords(check.misprints.length)}
          onStart={() => void start(sentOf(draft, check))}
          onStop={stop}
        />
      </div>
    </div>
  );
};
