/** Asks what a column is. */

/** The fields that most files have, and how people call them. */
const WORDS: Readonly<Record<string, string>> = {
  data: 'Content of the code',
  dynamic: 'Dynamic (yes or no)',
  name: 'Name',
  slug: 'Short link',
  id: 'Your id',
  file: 'File name',
};

/** Returns what people call a field. */
export const inWords = (field: string): string => WORDS[field] ?? field;

const groupsOf = (fields: readonly string[]) => {
  const usual = Object.keys(WORDS).filter((field) => fields.includes(field));
  const others = fields.filter((field) => !usual.includes(field));
  return [
    { label: 'Rows', fields: usual },
    { label: 'Design', fields: others.filter((field) => !field.startsWith('print')) },
    { label: 'Print', fields: others.filter((field) => field.startsWith('print')) },
  ];
};

/** A list of the fields that a column may be. */
export const FieldSelect = ({
  id,
  field,
  fields,
  describedBy,
  onField,
}: {
  readonly id: string;
  readonly field: string | null;
  readonly fields: readonly string[];
  readonly describedBy: string;
  readonly onField: (field: string | null) => void;
}) => (
  <select
    id={id}
    class={field === null ? 'muted' : ''}
    value={field ?? ''}
    aria-describedby={describedBy}
    onChange={(event) => onField(event.currentTarget.value || null)}
  >
    <option value="">Leave out</option>
    {groupsOf(fields)
      .filter((group) => group.fields.length > 0)
      .map(({ label, fields: own }) => (
        <optgroup key={label} label={label}>
          {own.map((one) => (
            <option key={one} value={one}>
              {inWords(one)}
            </option>
          ))}
        </optgroup>
      ))}
  </select>
);
