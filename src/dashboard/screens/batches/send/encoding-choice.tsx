import { useId, useState } from 'preact/hooks';
import type { Fault } from '../../../api/client.ts';
import { Primary } from '../../../ui/buttons.tsx';
import { SelectInput } from '../../../ui/fields.tsx';
import { ENCODINGS, preselect } from './encodings.ts';

interface EncodingChoiceProps {
  /** Why the file cannot be read; it has the readings. */
  readonly fault: Fault;
  readonly onChoose: (encoding: string) => void;
}

/** Whether a fault is about the encoding of a file, so that a person can choose it. */
export const isOfEncoding = (fault: Fault | null): fault is Fault => fault?.error === 'Unclear encoding';

/** Shows how a row reads in the likeliest encodings, and lets a person choose the one that is right. */
export const EncodingChoice = ({ fault: { details, readings }, onChoose }: EncodingChoiceProps) => {
  const group = useId();
  const [encoding, setEncoding] = useState(() => preselect(readings, navigator.languages));
  const [place = ''] = details.replace(/^body: /, '').split(/; |\. /, 1);
  return (
    <section class="card encoding-choice" aria-labelledby={group}>
      <h2 id={group}>Which text is right?</h2>
      <p class="muted">
        The file does not say its encoding: {place}. Choose the line that reads as in your program.
      </p>
      <ul class="stack">
        {readings.map((reading) => (
          <li key={reading.encoding}>
            <label>
              <input
                type="radio"
                name={group}
                checked={reading.encoding === encoding}
                onChange={() => setEncoding(reading.encoding)}
              />{' '}
              <span class="wrap">{reading.text}</span> <span class="muted small">{reading.encoding}</span>
            </label>
          </li>
        ))}
      </ul>
      <SelectInput
        label="Encoding"
        hint="all that can be read; files saved as UTF-8 need none"
        value={encoding}
        options={ENCODINGS.map((name) => [name, name] as const)}
        onChoose={setEncoding}
      />
      <div class="row">
        <Primary onClick={() => onChoose(encoding)}>Read the file as {encoding}</Primary>
      </div>
    </section>
  );
};
