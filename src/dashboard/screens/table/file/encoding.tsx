/** Lets a person choose how the bytes of a file are read. */
import { useId, useState } from 'preact/hooks';
import type { Fault } from '../../../api/client.ts';
import { Primary } from '../../../ui/buttons.tsx';
import { SelectInput } from '../../../ui/fields.tsx';
import { say } from '../../../words/say.ts';
import { ENCODINGS, preselect } from './kind.ts';

interface EncodingFieldsProps {
  readonly readings: Fault['readings'];
  readonly encoding: string;
  readonly onEncoding: (encoding: string) => void;
}

/** Shows how a row reads in the likeliest encodings, each text once, and lists all others. */
export const EncodingFields = ({ readings, encoding, onEncoding }: EncodingFieldsProps) => {
  const group = useId();
  const chosen = readings.filter((reading) => reading.encoding === encoding);
  const shown = [...chosen, ...readings].filter(
    (reading, at, all) => all.findIndex(({ text }) => text === reading.text) === at,
  );
  return (
    <>
      {shown.length > 0 && (
        <ul class="stack">
          {shown.map((reading) => (
            <li key={reading.encoding}>
              <label class="reading">
                <input
                  type="radio"
                  name={group}
                  checked={reading.encoding === encoding}
                  onChange={() => onEncoding(reading.encoding)}
                />{' '}
                <span class="wrap">{reading.text}</span> <span class="muted small">{reading.encoding}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <SelectInput
        look="narrow"
        label={say('Encoding')}
        value={encoding}
        options={ENCODINGS.map((name) => [name, name] as const)}
        onChoose={onEncoding}
      />
    </>
  );
};

interface EncodingChoiceProps {
  /** Why the file cannot be read; it has the readings. */
  readonly fault: Fault;
  readonly onChoose: (encoding: string) => void;
}

/** Whether a fault is about the encoding of a file, so that a person can choose it. */
export const isOfEncoding = (fault: Fault | null): fault is Fault => fault?.error === 'Unclear encoding';

/** Asks for the encoding of a file, before anything is read of it. */
export const EncodingChoice = ({ fault: { details, readings }, onChoose }: EncodingChoiceProps) => {
  const title = useId();
  const [encoding, setEncoding] = useState(() => preselect(readings, navigator.languages));
  const [place = ''] = details.replace(/^body: /, '').split(/; |\. /, 1);
  return (
    <section class="card" aria-labelledby={title}>
      <h2 id={title}>{say('Which text is right?')}</h2>
      <p class="muted">
        {say('The file does not say its encoding: {place}. Choose the line that reads as in your program.', {
          place,
        })}
      </p>
      <EncodingFields readings={readings} encoding={encoding} onEncoding={setEncoding} />
      <div class="row">
        <Primary onClick={() => onChoose(encoding)}>
          {say('Read the file as {encoding}', { encoding })}
        </Primary>
      </div>
    </section>
  );
};
