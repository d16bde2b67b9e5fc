/** Gives out the files of some rows of a batch again, as they were made. */
import { useState } from 'preact/hooks';
import { fileNameOf, messageAt, postJson, saveBlob } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { Batch } from '../../api/shapes.ts';
import { Area, Fold, Segments } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { formatMoment } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { say } from '../../words/say.ts';
import { lostInWords } from '../print/words.ts';
import { type AskedRows, toAsked } from './words.ts';

const WAYS = [
  ['rows', say('Rows')],
  ['ids', say('Your ids')],
] as const;
const OUTPUTS = [
  ['files', 'ZIP'],
  ['pages', say('One PDF')],
] as const;

interface Typed extends AskedRows {
  readonly output: (typeof OUTPUTS)[number][0];
}

const NOTHING: Typed = { way: 'rows', rows: '', ids: '', output: 'files' };
/** The fields that the service may find wrong. */
const FIELDS = ['from', 'to', 'rows', 'external_ids', 'body', 'output'];
/** Earlier ones that are listed. */
const SHOWN = 20;

interface ReprintDialogProps {
  readonly batch: Pick<Batch, 'id' | 'formats'>;
  readonly onClose: () => void;
}

/** Asks for rows, downloads their files, and shows when that was done before. */
export const ReprintDialog = ({ batch: { id, formats }, onClose }: ReprintDialogProps) => {
  const [typed, enter, draft] = useDraft(`reprint ${id}`, NOTHING);
  const [said, setSaid] = useState('');
  const earlier = useGet('/api/v1/batches/{id}/reprints', { path: { id }, query: { limit: SHOWN } });
  const { way, output } = typed;
  const asked = toAsked(typed);
  const isEmpty = typed[way].trim() === '';
  const download = async (): Promise<void> => {
    setSaid('');
    const answer = await postJson(`api/v1/batches/${id}/reprints`, { ...asked, output });
    const name = fileNameOf(answer.headers) ?? id;
    saveBlob(name, await answer.blob());
    setSaid([say('Downloaded as “{name}”.', { name }), ...lostInWords(answer.headers)].join(' '));
    void earlier.refetch();
  };
  const input = (fault: Parameters<typeof messageAt>[0]) => ({
    fault: FIELDS.map((field) => messageAt(fault, field)).find((text) => text !== null) ?? null,
    value: typed[way],
    onText: (text: string) => enter({ [way]: text }),
  });
  return (
    <FormDialog
      title={say('Print rows again')}
      action={say('Download')}
      isReady={!isEmpty}
      problem={isEmpty || asked !== null ? null : say('Write rows as in 300-420, or in 12, 15, 31.')}
      fields={FIELDS}
      draft={draft}
      help={say('The same files as before, byte for byte. It gives no new numbers and costs nothing.')}
      submit={download}
      staysOpen
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <Segments label={say('By')} value={way} options={WAYS} onChoose={(next) => enter({ way: next })} />
          {way === 'rows' ? (
            <Area
              label={say('Rows')}
              hint={say('by their numbers in the batch')}
              placeholder="300-420"
              {...input(fault)}
            />
          ) : (
            <Area
              label={say('Your ids')}
              hint={say('one a line')}
              placeholder={'A-17\nA-18'}
              {...input(fault)}
            />
          )}
          {formats.includes('pdf') && (
            <Segments
              label={say('Files')}
              value={output}
              options={OUTPUTS}
              onChoose={(next) => enter({ output: next })}
            />
          )}
          <p role="status">{said}</p>
          {earlier.data !== undefined && earlier.data.data.length > 0 && (
            <Fold title={say('Printed again before')} isWanted={false}>
              <ul class="rows">
                {earlier.data.data.map(({ id: key, rows, created_at }) => (
                  <li key={key}>
                    <span>{say('Rows {rows}', { rows })}</span>
                    <span class="muted small">{formatMoment(created_at)}</span>
                  </li>
                ))}
              </ul>
            </Fold>
          )}
        </>
      )}
    </FormDialog>
  );
};
