import { useEffect, useRef, useState } from 'preact/hooks';
import type { BatchPreview } from '../../api/shapes.ts';
import { Primary, Quiet, Submit } from '../../ui/buttons.tsx';
import { DropZone } from '../../ui/form.tsx';
import { Columns } from '../batches/send/columns.tsx';
import { ACCEPTED } from '../batches/send/file.ts';
import { faultOf, type Mapping } from '../batches/send/mapping.ts';

const EXAMPLE = `data,dynamic,file,width,height,dotsOptions.type,dotsOptions.color
Table 1,,table-1,600,600,rounded,#1a4b8c
https://example.com/menu,true,menu,600,600,rounded,#1a4b8c
`;

const ColumnNames = ({ names }: { readonly names: readonly string[] }) => (
  <details>
    <summary>Columns</summary>
    <p>
      The first row names the columns. Only <code>data</code> is required, the content of the codes; it may be
      called <code>url</code>, <code>link</code>, <code>text</code> or <code>content</code>, too.{' '}
      <code>file</code> names the picture. An empty cell keeps the default of its option. Write gradients as
      JSON. A file with the columns <code>external_id</code> or <code>name</code> becomes a batch, which keeps
      them.
    </p>
    <ul class="columns">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  </details>
);

interface SourceProps {
  readonly columns: readonly string[];
  readonly fault: string | null;
  /** Whether a file is being read. */
  readonly busy: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes a file, dropped or chosen, or pasted text. */
export const Source = ({ columns, fault, busy, onFile }: SourceProps) => {
  const [text, setText] = useState('');
  return (
    <section class="card import-source">
      <DropZone
        id="import-file"
        label="a spreadsheet or CSV file"
        accept={ACCEPTED}
        hint="XLSX or CSV. A file with more than 1,000 rows becomes a batch, and so does NDJSON."
        onFile={onFile}
      />
      <div class="field">
        <label for="import-text">or paste a table</label>
        <textarea
          id="import-text"
          rows={7}
          spellcheck={false}
          placeholder={EXAMPLE}
          value={text}
          aria-describedby="import-fault"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <p class="fault" id="import-fault" role="alert">
        {fault}
      </p>
      <p class="muted small" role="status">
        {busy && 'Reading the file …'}
      </p>
      <div class="row">
        <Primary disabled={text.trim() === '' || busy} onClick={() => onFile(new File([text], 'pasted.csv'))}>
          Check rows
        </Primary>
        <Quiet onClick={() => setText(EXAMPLE)}>Use the example</Quiet>
      </div>
      <ColumnNames names={columns} />
    </section>
  );
};

interface ChooseColumnsProps {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
  readonly onMapping: (mapping: Mapping) => void;
  readonly onNext: () => void;
  readonly onOther: () => void;
}

/** Asks for the column of each field before the rows are checked. */
export const ChooseColumns = ({ preview, mapping, onMapping, onNext, onOther }: ChooseColumnsProps) => {
  const fault = faultOf(preview, mapping);
  const form = useRef<HTMLFormElement>(null);
  // The element that had the focus is gone; keyboards continue here.
  useEffect(() => form.current?.querySelector('h2')?.focus(), []);
  return (
    <form
      ref={form}
      aria-label="Columns of the file"
      onSubmit={(event) => {
        event.preventDefault();
        onNext();
      }}
    >
      <Columns preview={preview} mapping={mapping} fault={fault} onMapping={onMapping}>
        <div class="row">
          <Submit disabled={fault !== null}>Check rows</Submit>
          <Quiet onClick={onOther}>Choose another file</Quiet>
        </div>
      </Columns>
    </form>
  );
};
