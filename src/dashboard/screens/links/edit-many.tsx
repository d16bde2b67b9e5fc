import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import { useUndoable } from '../../ui/buttons.tsx';
import { Input, UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { faultOfTexts, type RouteTexts, TIME, toChange } from './texts.ts';

type Name = keyof RouteTexts;

/** What may be changed: the field, its name, and what is asked once it is chosen. */
const FIELDS = [
  { name: 'destination', title: 'Destination', label: <span class="hidden">New destination</span> },
  { name: 'active_from', title: 'Start', label: 'Empty: at once' },
  { name: 'active_until', title: 'End', label: 'Empty: never' },
  { name: 'before_destination', title: 'Address before the start', label: 'Empty: none' },
  { name: 'after_destination', title: 'Address after the end', label: 'Empty: none' },
] as const;

interface EditManyProps {
  readonly slugs: readonly string[];
  readonly onClose: () => void;
}

/**
 * A dialog that changes where and when many short links lead, all or nothing. It offers to undo that.
 *
 * @param slugs At most 1000.
 */
export const EditMany = ({ slugs, onClose }: EditManyProps) => {
  const [texts, setTexts] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [chosen, setChosen] = useState<readonly Name[]>(['destination']);
  const tell = useUndoable('Every link leads where it led before.', (id) =>
    change(api.POST('/api/v1/links/changes/{id}/undo', { params: { path: { id } } })),
  );
  const asked = Object.fromEntries(chosen.map((name) => [name, texts[name] ?? ''])) as RouteTexts;
  const isStarted = chosen.length > 0 && asked.destination !== '';
  const submit = async (): Promise<void> => {
    const body = { slugs: [...slugs], change: toChange(asked) };
    const { change_id, changed } = await change(api.PATCH('/api/v1/links', { body }));
    tell(`Saved. ${count(changed, 'link')} changed.`, change_id);
  };
  return (
    <FormDialog
      title={`Change ${count(slugs.length, 'short link')}`}
      action="Save"
      isReady={isStarted}
      problem={isStarted ? faultOfTexts(asked) : null}
      submit={submit}
      onClose={onClose}
    >
      {() => (
        <>
          <p class="muted small">Choose what to change. Each link keeps everything else.</p>
          {FIELDS.map(({ name, title, label }) => {
            const isChosen = chosen.includes(name);
            const onText = (text: string) => setTexts({ ...texts, [name]: text });
            const field = { label, value: texts[name] ?? '', onText };
            return (
              <div key={name} class="choosable">
                <label class="check">
                  <input
                    type="checkbox"
                    checked={isChosen}
                    onChange={() =>
                      setChosen(isChosen ? chosen.filter((other) => other !== name) : [...chosen, name])
                    }
                  />
                  {title}
                </label>
                {isChosen &&
                  (name.startsWith('active_') ? (
                    <Input {...TIME} {...field} />
                  ) : (
                    <UrlInput
                      {...field}
                      {...(name === 'destination' && { placeholder: 'https://example.com/menu' })}
                    />
                  ))}
              </div>
            );
          })}
        </>
      )}
    </FormDialog>
  );
};
