import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BASE, type Fault, toScreenPath } from '../../api/client.ts';
import { ONCE, useGet, useRead } from '../../api/query.ts';
import type { Batch, QrRequest } from '../../api/shapes.ts';
import { Quiet, useAction } from '../../ui/buttons.tsx';
import { useSession } from '../../ui/hooks.ts';
import { Above, Page } from '../../ui/page.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { nameOf, sessionObstacle } from '../batches/words.ts';
import { type Again, type Opened, openTable, sentAgain } from './again.ts';
import type { ChangeDraft, TableDraft } from './draft.ts';
import type { FileKind } from './file/kind.ts';
import { TableForm } from './form.tsx';
import { forgetTable, keepSent, keepTable, recallColumns, rememberColumns } from './kept.ts';
import { openFile } from './read.ts';
import { Source } from './source.tsx';

/** Has the length of every short link, so that the example has as many modules as the codes of most batches. */
const EXAMPLE: QrRequest = { data: `${location.origin}${BASE}l/Preview0`, width: 600, height: 600 };

const KEEP_AFTER_MS = 400;

/** Keeps the draft soon after each change, and when the screen is left. Returns whether the browser keeps it. */
const useKept = (accountId: string, name: string, draft: TableDraft | null) => {
  const [isKept, setKept] = useState(true);
  const unkept = useRef<TableDraft | null>(null);
  const save = (): void => {
    if (unkept.current !== null) void keepTable(accountId, name, unkept.current).then(setKept);
    unkept.current = null;
  };
  useEffect(() => {
    unkept.current = draft;
    const timer = setTimeout(save, KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      save();
    };
  }, []);
  return {
    isKept,
    forget: () => {
      unkept.current = null;
      return forgetTable(accountId, name);
    },
  };
};

const faultInWords = ({ status, details, message }: Fault): string =>
  status === 400 && details.startsWith('body: ')
    ? say('This file {fault}.', { fault: details.slice('body: '.length) })
    : details || message;

interface BeforeProps {
  readonly draft: TableDraft | null;
  readonly again: Again | null;
  /** Whether the browser has lost the file of the draft. */
  readonly isGone: boolean;
  readonly onBack: () => void;
  readonly onAnew: () => void;
}

/** Says what there is already when a file is asked for. */
const Before = ({ draft, again, isGone, onBack, onAnew }: BeforeProps) => {
  if (draft !== null)
    return (
      <p class="notice">
        {isGone
          ? say('“{name}” is too large to be kept here. Choose it again: all else is as you left it.', {
              name: draft.name,
            })
          : say('“{name}” stays as you left it until you choose another file.', { name: draft.name })}{' '}
        {isGone ? (
          <Quiet onClick={onAnew}>{say('Begin anew')}</Quiet>
        ) : (
          <Quiet onClick={onBack}>{say('Back to it')}</Quiet>
        )}
      </p>
    );
  return (
    again !== null && (
      <p class="notice">
        {say(
          'This browser does not have the rows of “{name}” any more. Choose its file again to see which rows are wrong.',
          { name: nameOf(again.batch) },
        )}
      </p>
    )
  );
};

interface TableOfProps {
  readonly opened: Opened;
  /** The folder of a table that is chosen now; `null`: one that is named like its file. */
  readonly folder: string | null;
}

/** Leads from a file to a batch. */
const TableOf = ({ opened: { name, draft: opened, again }, folder }: TableOfProps) => {
  const { account } = useSession();
  const { route } = useLocation();
  const usage = useGet('/api/v1/usage', {});
  const [draft, setDraft] = useState(opened);
  const [isChoosing, setChoosing] = useState(folder !== null && opened?.settings.folderName !== folder);
  const { busy, fault, run } = useAction();
  const { isKept, forget } = useKept(account.id, name, draft);
  const onDraft = (change: ChangeDraft) => setDraft((now) => now && change(now));

  const open = (next: TableDraft | null): void => {
    setDraft(next);
    setChoosing(false);
  };
  const inFolder = (chosen: TableDraft): TableDraft =>
    folder === null ? chosen : { ...chosen, settings: { ...chosen.settings, folderName: folder } };
  const take = (file: File, kind: FileKind) =>
    void run(async () => {
      // The same file again, which the browser did not keep.
      if (draft !== null && draft.name === file.name && draft.bytes === file.size)
        return open(inFolder({ ...draft, file }));
      const read = inFolder(await openFile(file, kind, EXAMPLE));
      const recalled = read.read === null ? null : recallColumns(account.id, read.read);
      const chosen = { ...read, ...(recalled && { mapping: recalled.mapping, content: recalled.content }) };
      open(again === null ? chosen : sentAgain(chosen, again));
    });
  const sent = async (batch: Batch): Promise<void> => {
    if (draft !== null) {
      rememberColumns(account.id, draft);
      await keepSent(account.id, batch.id, { ...draft, found: [] });
    }
    await forget();
    route(toScreenPath(`/batches/${batch.id}`));
  };
  const isGone = draft !== null && draft.file === null && !draft.isHeld;

  if (draft === null || isGone || isChoosing)
    return (
      <>
        <Before
          draft={draft}
          again={again}
          isGone={isGone}
          onBack={() => setChoosing(false)}
          onAnew={() => void forget().then(() => setDraft(null))}
        />
        {folder !== null && <p>{say('The codes are saved in “{folder}”.', { folder })}</p>}
        <Source fault={fault && faultInWords(fault)} isReading={busy} onFile={take} />
      </>
    );
  return (
    <>
      {!isKept && (
        <p class="notice">{say('This browser keeps nothing: the table is lost when you leave this page.')}</p>
      )}
      {usage.error && <Failure fault={usage.error} retry={() => void usage.refetch()} />}
      <TableForm
        draft={draft}
        example={EXAMPLE}
        recalled={draft.read && recallColumns(account.id, draft.read)}
        left={usage.data?.remaining ?? null}
        onDraft={onDraft}
        onOther={() => setChoosing(true)}
        onSent={(batch) => void sent(batch)}
      />
    </>
  );
};

export default function Table(_: { readonly path: string }) {
  const session = useSession();
  const { batch: batchId = null, folder = null } = useLocation().query;
  const opened = useRead(
    ['table', batchId],
    (signal) => openTable(session.account.id, batchId, signal),
    ONCE,
  );
  const obstacle = sessionObstacle(session);
  return (
    <Page title={say('New batch')} above={<Above path="/batches" name={say('Batches')} />}>
      {obstacle !== null && <p class="notice">{obstacle}</p>}
      <Loaded load={opened} what={say('the table')}>
        {(found) => <TableOf key={found.name} opened={found} folder={folder} />}
      </Loaded>
    </Page>
  );
}
