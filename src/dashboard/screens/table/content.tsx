import { useGet } from '../../api/query.ts';
import type { BatchPreview } from '../../api/shapes.ts';
import { linkTo, Quiet } from '../../ui/buttons.tsx';
import { CheckInput, FaultOf, Input, Segments, SelectInput, UrlInput } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { say, sayWith } from '../../words/say.ts';
import { type ContentChoice, templateFault } from './mapping.ts';

const SOURCES = [
  ['data', say('A column')],
  ['gs1', say('GS1 numbers')],
  ['template', say('A template')],
] as const;

const FORMS = [
  ['digital-link', say('Digital Link')],
  ['element-string', say('Element string')],
] as const;

interface FieldsProps {
  readonly choice: ContentChoice;
  readonly counters: readonly string[];
  readonly onChange: (changed: Partial<ContentChoice>) => void;
}

const Gs1Fields = ({ choice, counters, onChange }: FieldsProps) => (
  <>
    <div class="kind-fields">
      <SelectInput
        label={say('The codes contain')}
        value={choice.form}
        options={FORMS}
        onChoose={(form) => onChange({ form })}
      />
      {choice.form === 'digital-link' && (
        <UrlInput
          label={say('Your domain')}
          hint={say('or id.gs1.org')}
          placeholder="https://id.example.com"
          value={choice.stem}
          onText={(stem) => onChange({ stem })}
        />
      )}
      {counters.length > 0 && (
        <SelectInput
          label={say('Serial numbers')}
          value={choice.serials}
          options={[
            ['', say('As in the file')],
            ...counters.map((name) => [name, say('Counter {name}', { name })] as const),
          ]}
          onChoose={(serials) => onChange({ serials })}
        />
      )}
    </div>
  </>
);

const TemplateFields = ({
  choice,
  names,
  counters,
  onChange,
}: FieldsProps & { readonly names: readonly string[] }) => (
  <>
    <Input
      label={say('Template')}
      hint={say('names of columns and counters in braces; {serial:06} adds zeros')}
      placeholder="https://example.com/{sku}/{serial:06}"
      spellcheck={false}
      value={choice.template}
      fault={choice.template === '' ? null : templateFault(choice)}
      onText={(template) => onChange({ template })}
    />
    <p class="row small">
      {say('Add:')}
      {[...names, ...counters].map((name) => (
        <Quiet key={name} onClick={() => onChange({ template: `${choice.template}{${name}}` })}>
          {name}
        </Quiet>
      ))}
    </p>
    {counters.length === 0 && (
      <p class="muted small">
        {sayWith('A <link>counter</link> gives each row a number of its own.', {
          link: linkTo('/batches/counters'),
        })}
      </p>
    )}
  </>
);

interface ComposedProps {
  /** What the codes of the first rows will say; `null`: not known. */
  readonly rows: BatchPreview['composed'];
  /** Why nothing can be made; `null`: something can. */
  readonly fault: string | null;
}

/** Shows what the codes of the first rows will say, or what is wrong with them. */
const Composed = ({ rows, fault }: ComposedProps) => (
  <>
    <FaultOf text={fault} />
    {rows !== null && (
      <ol class="stack small" aria-label={say('What the first codes say')}>
        {rows.map((row, index) => (
          <li key={index} class={`wrap ${row.fault === null ? '' : 'fault'}`}>
            {row.fault ?? row.data}
          </li>
        ))}
      </ol>
    )}
  </>
);

interface ContentCardProps extends Omit<FieldsProps, 'counters'>, ComposedProps {
  /** The names of the columns of the file. */
  readonly names: readonly string[];
  /** Whether the content is addresses, to which short links can lead. */
  readonly mayBeDynamic: boolean;
}

/** Asks what the data of all rows is made of, and shows what the first codes say. */
export const ContentCard = ({ choice, names, mayBeDynamic, rows, fault, onChange }: ContentCardProps) => {
  const { data } = useGet('/api/v1/counters', {});
  const fields = { choice, onChange, counters: data?.data.map(({ name }) => name) ?? [] };
  return (
    <Card title={say('What the codes contain')}>
      <Segments
        label={say('How it is made')}
        value={choice.source}
        options={SOURCES}
        onChoose={(source) => onChange({ source })}
      />
      {choice.source === 'gs1' && <Gs1Fields {...fields} />}
      {choice.source === 'template' && <TemplateFields {...fields} names={names} />}
      {choice.source !== 'gs1' && (mayBeDynamic || choice.isDynamic) && (
        <CheckInput
          label={say('Make all codes dynamic')}
          hint={say(
            'Each code gets a short link that leads to its address. You can change where it leads after printing, and scans are counted. A dynamic code costs one unit, like any other.',
          )}
          isOn={choice.isDynamic}
          onToggle={(isDynamic) => onChange({ isDynamic })}
        />
      )}
      <Composed rows={rows} fault={fault} />
    </Card>
  );
};
