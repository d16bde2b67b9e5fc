import { useState } from 'preact/hooks';
import { askRaw } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import type { components } from '../../api/types.ts';
import { Button, Primary } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { DropZone } from '../../ui/forms/drop-zone.tsx';
import { FieldFailure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { EncodingChoice, isOfEncoding } from '../batches/send/encoding-choice.tsx';

/** What a file does, or has done. */
type Outcome = components['schemas']['ItemsImported'];

/** Sends a file of links. @param isTrial Whether it is only checked. @throws {Fault} It names the wrong rows. */
const send = async (file: File, encoding: string | null, isTrial: boolean): Promise<Outcome> => {
  const answer = await askRaw(`api/v1/resolver/items/import${isTrial ? '?dry_run=true' : ''}`, {
    method: 'POST',
    headers: { 'content-type': encoding === null ? 'text/csv' : `text/csv; charset=${encoding}` },
    body: file,
  });
  return (await answer.json()) as Outcome;
};

const inWords = ({ rows, created, changed, empty_rows: emptyRows }: Outcome): string =>
  `${count(rows, 'link')}, ${count(created, 'new item')}, ${count(changed, 'changed item')}${emptyRows === 0 ? '' : `, ${count(emptyRows, 'empty row')} left out`}`;

/** Takes a CSV file of links, checks all of it, says what it does, and imports it when a person agrees. */
export const ImportItems = ({ onClose }: { readonly onClose: () => void }) => {
  const [file, setFile] = useState<File | null>(null);
  const [encoding, setEncoding] = useState<string | null>(null);
  const [found, setFound] = useState<Outcome | null>(null);
  const { busy, fault, run } = useAction();
  const toast = useToast();
  const take = (chosen: File, said: string | null = null) => {
    setFile(chosen);
    setEncoding(said);
    setFound(null);
    void run(async () => setFound(await send(chosen, said, true)));
  };
  const bring = async (): Promise<void> => {
    if (file === null) return;
    toast({ text: `Imported: ${inWords(await send(file, encoding, false))}.` });
    refresh();
    onClose();
  };
  return (
    <Dialog title="Import links" onClose={onClose}>
      <DropZone
        id="items-file"
        label="a CSV file"
        accept=".csv,text/csv"
        hint={
          <>
            A link per row: <code>key</code> or <code>gtin</code>, <code>lot</code>, <code>serial</code>; then{' '}
            <code>rel</code>, <code>href</code> and <code>title</code>. An export has all columns.
          </>
        }
        onFile={(chosen) => take(chosen)}
      />
      <p role="status">
        {file !== null && <strong class="wrap">{file.name}</strong>} {busy && 'Checking …'}
        {found !== null && `${inWords(found)}. Nothing has changed yet.`}
      </p>
      {isOfEncoding(fault) && file !== null && (
        <EncodingChoice key={fault.details} fault={fault} onChoose={(said) => take(file, said)} />
      )}
      {fault !== null && fault.faults.length > 1 ? (
        <div class="fault" role="alert">
          <ul>
            {fault.faults.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      ) : (
        <FieldFailure fault={fault} />
      )}
      <div class="row">
        <Primary disabled={busy || found === null} onClick={() => void run(bring)}>
          Import
        </Primary>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
