import { useState } from 'preact/hooks';
import { useGet } from '../../api/query.ts';
import { FaultOf } from '../../ui/fields.tsx';
import { DropZone } from '../../ui/form.tsx';
import { useSession } from '../../ui/hooks.ts';
import { Above, Card, Page } from '../../ui/page.tsx';
import { ACCEPTED, type FileKind, kindOf } from './send/file.ts';
import { BatchForm } from './send/form.tsx';
import { folderNameOf, sessionObstacle } from './words.ts';

const Example = () => (
  <Card title="What goes into the file">
    <p class="muted">
      One row per code, below a header row with the names of the columns. Only the content of the codes is
      required; its column may be called <code>data</code>, <code>url</code>, <code>link</code> or anything
      else: you choose it in the next step. <code>dynamic</code> makes a short link whose destination can be
      changed after printing; <code>external_id</code> is your own id of the row and is part of every result;{' '}
      <code>name</code> becomes part of the file’s name.
    </p>
    <pre>
      {
        'data,dynamic,external_id,name\nhttps://example.com/menu,true,A-1,Table 1\nhttps://example.com/bar,true,A-2,Bar\n'
      }
    </pre>
    <p class="muted small">
      A row may also have any option of a design, such as <code>dotsOptions.color</code> or <code>width</code>
      . Up to 1,000,000 rows and 2 GB; a spreadsheet up to 32 MB.
    </p>
  </Card>
);

export default function NewBatch(_: { readonly path: string }) {
  const obstacle = sessionObstacle(useSession());
  const [chosen, setChosen] = useState<{ readonly file: File; readonly kind: FileKind } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const usage = useGet('/api/v1/usage', {});
  const take = (file: File): void => {
    const kind = kindOf(file.name);
    setProblem(
      kind === null
        ? `“${file.name}” is not a known type of file. Its name must end with .xlsx, .csv or .ndjson; the last two also with .gz.`
        : null,
    );
    if (kind !== null) setChosen({ file, kind });
  };
  return (
    <Page title="New batch" above={<Above path="/batches" name="Batches" />}>
      {obstacle !== null && <p class="notice">{obstacle}</p>}
      {chosen === null ? (
        <>
          <DropZone
            id="batch-file"
            label="a spreadsheet or CSV file"
            accept={ACCEPTED}
            hint="XLSX, CSV or NDJSON, with up to a million rows. Also compressed, as .csv.gz or .ndjson.gz."
            onFile={take}
          />
          <FaultOf text={problem} />
          <Example />
        </>
      ) : (
        <BatchForm
          {...chosen}
          folderName={folderNameOf(chosen.file.name)}
          left={usage.data?.remaining ?? null}
          onOther={() => setChosen(null)}
        />
      )}
    </Page>
  );
}
