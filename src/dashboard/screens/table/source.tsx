/** Takes a table: a file that is dropped or chosen, or pasted text. */
import { useState } from 'preact/hooks';
import { Button, Quiet } from '../../ui/buttons.tsx';
import { Area, FaultOf } from '../../ui/fields.tsx';
import { DropZone } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';
import { ACCEPTED, type FileKind, kindOf } from './file/kind.ts';

const EXAMPLE = `data,name,dynamic
https://example.com/menu,Menu,yes
https://example.com/bar,Bar,yes
`;

interface SourceProps {
  /** Why the last file could not be read. */
  readonly fault: string | null;
  readonly isReading: boolean;
  readonly onFile: (file: File, kind: FileKind) => void;
}

export const Source = ({ fault, isReading, onFile }: SourceProps) => {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const take = (file: File): void => {
    const kind = kindOf(file.name);
    setProblem(
      kind === null
        ? say(
            '“{name}” is not a known type of file. Its name must end with .xlsx, .csv or .ndjson; the last two also with .gz.',
            { name: file.name },
          )
        : null,
    );
    if (kind !== null) onFile(file, kind);
  };
  return (
    <>
      <DropZone
        id="table-file"
        label={say('a spreadsheet or CSV file')}
        accept={ACCEPTED}
        hint={say(
          'XLSX, CSV or NDJSON, with up to a million rows. Also compressed, as .csv.gz or .ndjson.gz.',
        )}
        onFile={take}
      />
      <FaultOf text={problem ?? fault} />
      <p class="muted" role="status">
        {isReading && say('Reading the file …')}
      </p>
      <Card title={say('Or paste a table')}>
        <Area
          label={say('Rows')}
          hint={say('the first one names the columns')}
          rows={5}
          spellcheck={false}
          placeholder={EXAMPLE}
          value={text}
          onText={setText}
        />
        <div class="row">
          <Button
            disabled={text.trim() === '' || isReading}
            onClick={() => take(new File([text], say('Pasted table.csv')))}
          >
            {say('Read the table')}
          </Button>
          <Quiet onClick={() => setText(EXAMPLE)}>{say('Use the example')}</Quiet>
        </div>
        <p class="muted small">
          {say(
            'Each row becomes a code. Only its content is required, in a column of any name. A row may have a name, your own id, tags, and any option of its design. With a short link, a code can lead elsewhere after printing.',
          )}
        </p>
      </Card>
    </>
  );
};
