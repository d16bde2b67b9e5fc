import { useState } from 'preact/hooks';
import { decodeText } from './table/decode-text.ts';

const EXAMPLE = `data,dynamic,file,width,height,dotsOptions.type,dotsOptions.color
Table 1,,table-1,600,600,rounded,#1a4b8c
https://example.com/menu,true,menu,600,600,rounded,#1a4b8c
`;

const Drop = ({ onFile }: { readonly onFile: (file: File) => void }) => {
  const [over, setOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way beside the button inside
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <label for="import-file">Drop a CSV file here, or choose one</label>
      <input
        id="import-file"
        type="file"
        accept=".csv,.tsv,text/csv,text/plain"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
    </div>
  );
};

const Columns = ({ names }: { readonly names: readonly string[] }) => (
  <details>
    <summary>Columns</summary>
    <p>
      The first row names the columns. Only <code>data</code> is required; <code>file</code> names the
      picture. An empty cell keeps the default of its option. Write gradients as JSON.
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

/** Takes the text of a CSV file, which a person pastes, drops or chooses. */
export const Source = ({
  columns,
  fault,
  onText,
}: {
  readonly columns: readonly string[];
  readonly fault: string | null;
  readonly onText: (text: string) => void;
}) => {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File): Promise<void> => {
    const read = await decodeText(file);
    setProblem(read.ok ? null : read.fault);
    if (read.ok) onText(read.value);
  };
  return (
    <section class="card import-source">
      <Drop onFile={(file) => void take(file)} />
      <div class="field">
        <label for="import-text">or paste its text</label>
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
        {problem ?? fault}
      </p>
      <div class="row">
        <button type="button" class="primary" disabled={text.trim() === ''} onClick={() => onText(text)}>
          Check the rows
        </button>
        <button type="button" class="quiet" onClick={() => setText(EXAMPLE)}>
          Use the example
        </button>
      </div>
      <Columns names={columns} />
    </section>
  );
};
