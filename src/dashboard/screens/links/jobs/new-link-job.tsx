/** Sends a file of links: it is checked first, and then imports links or changes them. */
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Fault, messageAt, toScreenPath } from '../../../api/client.ts';
import type { LinkJob } from '../../../api/shapes.ts';
import { Primary, Quiet } from '../../../ui/buttons.tsx';
import {
  Area,
  CheckInput,
  FaultOf,
  FolderInput,
  Input,
  type Options,
  Segments,
  SelectInput,
} from '../../../ui/fields.tsx';
import { DropZone } from '../../../ui/form.tsx';
import { formatSize } from '../../../ui/format.ts';
import { Above, Card, Dots, Page } from '../../../ui/page.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { EncodingChoice, isOfEncoding } from '../../table/file/encoding.tsx';
import { type FileKind, formatInWords, kindOf, mediaTypeOf } from '../../table/file/kind.ts';
import { type Follow, Uploading, upload, useUpload } from '../../table/file/uploading.tsx';
import { JobStatus, useLinkJob } from './link-job.tsx';
import { columnsOf, hasEnded } from './words.ts';

type Source = 'tessera' | 'bitly' | 'yourls' | 'kutt' | 'dub' | 'shlink';

const SOURCES: Options<Source> = [
  ['tessera', say('Tessera, or a table of your own')],
  ['bitly', 'Bitly'],
  ['yourls', 'YOURLS'],
  ['kutt', 'Kutt'],
  ['dub', 'dub'],
  ['shlink', 'Shlink'],
];

/** What a person chooses besides the file. */
interface Choice {
  readonly what: 'import' | 'change';
  readonly source: Source;
  readonly domain: string;
  readonly folderName: string;
  /** One on each line, as in `destination = Long link`. */
  readonly columns: string;
  readonly isAllOrNothing: boolean;
  /** Whether what a link cannot keep, and columns that are no field, are left out. */
  readonly leavesOut: boolean;
}

const BEGINNING: Choice = {
  what: 'import',
  source: 'tessera',
  domain: '',
  folderName: '',
  columns: '',
  isAllOrNothing: false,
  leavesOut: false,
};

interface Sent extends Choice {
  readonly kind: FileKind;
  readonly isTrial: boolean;
}

/** Sends a file as a link job. @throws {Fault} */
const sendJob = (file: File, sent: Sent, { idempotencyKey, ...follow }: Follow): Promise<LinkJob> => {
  const { what, kind, isTrial, isAllOrNothing, leavesOut } = sent;
  const columns = columnsOf(sent.columns);
  const own = {
    import: {
      source: sent.source,
      dropped: leavesOut ? 'accept' : 'refuse',
      ...(sent.domain.trim() !== '' && { domain: sent.domain.trim() }),
      ...(sent.folderName.trim() !== '' && { folder_name: sent.folderName }),
    },
    change: { other_columns: leavesOut ? 'skip' : 'refuse' },
  };
  const query = new URLSearchParams({
    dry_run: String(isTrial),
    all_or_nothing: String(isAllOrNothing),
    ...(columns !== '' && { columns }),
    ...own[what],
  });
  return upload<LinkJob>({
    path: `api/v1/${what === 'import' ? 'links/imports' : 'link-jobs'}?${query}`,
    headers: {
      'content-type': mediaTypeOf(kind),
      'idempotency-key': idempotencyKey,
      ...(kind.gzip && { 'content-encoding': 'gzip' }),
    },
    body: file,
    ...follow,
  });
};

const HINTS: Readonly<Record<Choice['what'], string>> = {
  import: say(
    'CSV or NDJSON, with destination and slug in each row. Also compressed, as .csv.gz or .ndjson.gz.',
  ),
  change: say(
    'CSV or NDJSON. A row names its link by slug or external_id; its other columns, such as destination or tags, change it.',
  ),
};

interface TermsProps {
  readonly choice: Choice;
  readonly fault: Fault | null;
  readonly onChoice: (changed: Partial<Choice>) => void;
}

/** Asks where the links come from, and how the rows are handled. */
const Terms = ({ choice, fault, onChoice }: TermsProps) => (
  <Card title={say('How it is read')}>
    {choice.what === 'import' && (
      <>
        <SelectInput
          label={say('Comes from')}
          value={choice.source}
          options={SOURCES}
          onChoose={(source) => onChoice({ source })}
        />
        <Input
          label={say('Domain')}
          hint={say('of all links; empty: the one that each row says')}
          value={choice.domain}
          fault={messageAt(fault, 'domain')}
          spellcheck={false}
          onText={(domain) => onChoice({ domain })}
        />
        <FolderInput
          hint={say('for rows that name none; empty: Imported links and the date')}
          value={choice.folderName}
          fault={messageAt(fault, 'folder_name')}
          onText={(folderName) => onChoice({ folderName })}
        />
      </>
    )}
    <Area
      label={say('Columns by other names')}
      hint={say('one per line, as in destination = Long link')}
      value={choice.columns}
      fault={messageAt(fault, 'columns')}
      spellcheck={false}
      onText={(columns) => onChoice({ columns })}
    />
    <CheckInput
      label={say('All or nothing')}
      hint={say('A single row with an error leaves everything as it is.')}
      isOn={choice.isAllOrNothing}
      onToggle={(isAllOrNothing) => onChoice({ isAllOrNothing })}
    />
    <CheckInput
      label={
        choice.what === 'import'
          ? say('Move links without what they cannot keep')
          : say('Leave out other columns')
      }
      hint={
        choice.what === 'import'
          ? say(
              'Such as passwords, rules and limits, and columns that are no field. Otherwise such rows are errors.',
            )
          : say('Those that are no field. Otherwise such a file is refused.')
      }
      isOn={choice.leavesOut}
      onToggle={(leavesOut) => onChoice({ leavesOut })}
    />
  </Card>
);

/** The fields beside which the page says what is wrong. */
const FIELDS = ['domain', 'folder_name', 'columns'];

interface SendFileProps {
  readonly file: File;
  readonly kind: FileKind;
  readonly onOther: () => void;
}

/** Checks a file with what a person chose, shows what it would do, and then sends it. */
const SendFile = ({
  file,
  kind: known,
  choice,
  onChoice,
  onOther,
}: SendFileProps & Omit<TermsProps, 'fault'>) => {
  const { route } = useLocation();
  const [kind, setKind] = useState(known);
  const [trial, setTrial] = useState<string | null>(null);
  const checked = useLinkJob(trial);
  const { state, start, stop } = useUpload<Sent, LinkJob>(
    file,
    (sent, follow) => sendJob(file, sent, follow),
    ({ id, dry_run: isTrial }) => (isTrial ? setTrial(id) : route(toScreenPath(`/links/jobs/${id}`))),
  );
  const fault = state.kind === 'failed' ? state.fault : null;
  const isAtField = FIELDS.some((field) => messageAt(fault, field) !== null);
  const isReady = checked.data?.state === 'done' && checked.data.made + checked.data.changed > 0;
  const again = (changed: Partial<Choice>): void => {
    setTrial(null);
    onChoice(changed);
  };
  return (
    <>
      <div class="stack" inert={state.kind === 'sending'}>
        <Card title={file.name} actions={<Quiet onClick={onOther}>{say('Choose another file')}</Quiet>}>
          <Dots facts={[formatInWords(kind), formatSize(file.size)]} />
        </Card>
        <Terms choice={choice} fault={fault} onChoice={again} />
        {isOfEncoding(fault) && (
          <EncodingChoice
            key={fault.details}
            fault={fault}
            onChoose={(encoding) => {
              const chosen = { ...kind, encoding };
              setKind(chosen);
              void start({ ...choice, kind: chosen, isTrial: true });
            }}
          />
        )}
      </div>
      {fault !== null && !isOfEncoding(fault) && !isAtField && <Failure fault={fault} />}
      {state.kind === 'sending' ? (
        <Card>
          <Uploading progress={state.progress} onStop={stop} />
        </Card>
      ) : (
        trial === null && (
          <div class="row">
            <Primary onClick={() => void start({ ...choice, kind, isTrial: true })}>
              {say('Check the file')}
            </Primary>
          </div>
        )
      )}
      {trial !== null && (
        <Loaded load={checked} what={say('the check')}>
          {(job) => (
            <>
              <JobStatus job={job} />
              {hasEnded(job) && state.kind !== 'sending' && (
                <div class="row">
                  <Primary
                    disabled={!isReady}
                    onClick={() => void start({ ...choice, kind, isTrial: false })}
                  >
                    {choice.what === 'import' ? say('Import the links') : say('Change the links')}
                  </Primary>
                </div>
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  );
};

export default function NewLinkJob(_: { readonly path: string }) {
  const [choice, setChoice] = useState(BEGINNING);
  const [chosen, setChosen] = useState<{ readonly file: File; readonly kind: FileKind } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const onChoice = (changed: Partial<Choice>): void => setChoice({ ...choice, ...changed });
  const take = (file: File): void => {
    const kind = kindOf(file.name);
    const isKnown = kind !== null && kind.format !== 'xlsx';
    setProblem(
      isKnown
        ? null
        : say('“{name}” is not CSV or NDJSON. Its name must end with .csv or .ndjson, also with .gz.', {
            name: file.name,
          }),
    );
    if (isKnown) setChosen({ file, kind });
  };
  return (
    <Page
      title={say('Send a file of links')}
      above={<Above path="/links/jobs" name={say('Files of links')} />}
    >
      {chosen === null ? (
        <>
          <Segments
            label={say('What the file does')}
            value={choice.what}
            options={[
              ['import', say('Import links')],
              ['change', say('Change links')],
            ]}
            onChoose={(what) => onChoice({ what })}
          />
          <DropZone
            id="links-file"
            label={say('a file of links')}
            accept=".csv,.tsv,.txt,.ndjson,.jsonl,.gz"
            hint={HINTS[choice.what]}
            onFile={take}
          />
          <FaultOf text={problem} />
        </>
      ) : (
        <SendFile {...chosen} choice={choice} onChoice={onChoice} onOther={() => setChosen(null)} />
      )}
    </Page>
  );
}
