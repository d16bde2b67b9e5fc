import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { RouteChange } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { faultOfUrl } from '../../ui/forms/address-form.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { asFault } from '../../ui/use-load.ts';
import { fromField } from './local-time.ts';
import { faultOfTexts, type RouteTexts, TimeField, UrlField } from './route-fields.tsx';

type Name = keyof RouteTexts;

const NOTHING: RouteTexts = { destination: '', from: '', until: '', before: '', after: '' };

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Returns the fields that are chosen, as the service takes them. */
const toChange = (texts: RouteTexts, chosen: ReadonlySet<Name>): RouteChange => ({
  ...(chosen.has('destination') && { destination: texts.destination }),
  ...(chosen.has('from') && { active_from: fromField(texts.from) }),
  ...(chosen.has('until') && { active_until: fromField(texts.until) }),
  ...(chosen.has('before') && { before_destination: orNull(texts.before) }),
  ...(chosen.has('after') && { after_destination: orNull(texts.after) }),
});

const faultOf = (texts: RouteTexts, chosen: ReadonlySet<Name>): string | null => {
  const own = (name: Name) => (chosen.has(name) ? texts[name] : '');
  if (chosen.has('destination')) {
    const fault = faultOfUrl(texts.destination);
    if (fault !== null) return fault;
  }
  return faultOfTexts({
    from: own('from'),
    until: own('until'),
    before: own('before'),
    after: own('after'),
  });
};

/** One thing that may be changed. Its field is shown when it is chosen. */
const Choosable = ({
  name,
  isChosen,
  onChoose,
  children,
}: {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}) => (
  <div class="choosable">
    <label class="check">
      <input type="checkbox" checked={isChosen} onChange={onChoose} />
      {name}
    </label>
    {isChosen && children}
  </div>
);

/** Undoes a change of many links, and says whether that worked. The dialog is closed by then. */
const useUndo = () => {
  const toast = useToast();
  return (id: string): void => {
    ask(api.POST('/api/v1/links/changes/{id}/undo', { params: { path: { id } } })).then(
      () => toast({ text: 'Undone. Every link leads where it led before.' }),
      (error: unknown) => toast({ text: `The change could not be undone. ${asFault(error).message}` }),
    );
  };
};

/**
 * A dialog that changes where and when many short links lead, all or none. It offers to undo that.
 *
 * @param slugs At most 1000.
 * @param onDone Called when the dialog is to be closed, whether something was changed or not.
 */
export const EditMany = ({
  slugs,
  onDone,
}: {
  readonly slugs: readonly string[];
  readonly onDone: () => void;
}) => {
  const [texts, setTexts] = useState(NOTHING);
  const [chosen, setChosen] = useState<ReadonlySet<Name>>(new Set<Name>(['destination']));
  const { busy, fault, run, clear } = useAction();
  const toast = useToast();
  const undo = useUndo();
  const type = (name: Name) => (text: string) => {
    clear();
    setTexts({ ...texts, [name]: text });
  };
  const choice = (name: Name) => ({
    isChosen: chosen.has(name),
    onChoose: () =>
      setChosen(new Set([...chosen].filter((other) => other !== name).concat(chosen.has(name) ? [] : name))),
  });
  const problem = faultOf(texts, chosen);
  const isStarted = chosen.size > 0 && (!chosen.has('destination') || texts.destination !== '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      const body = { slugs: [...slugs], change: toChange(texts, chosen) };
      const { change_id, changed } = await ask(api.PATCH('/api/v1/links', { body }));
      toast({
        text: `Saved. ${count(changed, 'link')} changed.`,
        ...(change_id !== null && { action: { label: 'Undo', run: () => undo(change_id) } }),
      });
      onDone();
    });
  };
  return (
    <Dialog title={`Change ${count(slugs.length, 'short link')}`} onClose={onDone}>
      <form class="stack" onSubmit={submit}>
        <p class="muted small">Choose what to change. Everything else stays as it is at each link.</p>
        <Choosable name="Destination" {...choice('destination')}>
          <UrlField
            label={<span class="hidden">New destination</span>}
            text={texts.destination}
            placeholder="https://example.com/menu"
            onText={type('destination')}
          />
        </Choosable>
        <Choosable name="Start" {...choice('from')}>
          <TimeField label="Empty: at once" text={texts.from} onText={type('from')} />
        </Choosable>
        <Choosable name="End" {...choice('until')}>
          <TimeField label="Empty: never" text={texts.until} onText={type('until')} />
        </Choosable>
        <Choosable name="Address before the start" {...choice('before')}>
          <UrlField label="Empty: none" text={texts.before} onText={type('before')} />
        </Choosable>
        <Choosable name="Address after the end" {...choice('after')}>
          <UrlField label="Empty: none" text={texts.after} onText={type('after')} />
        </Choosable>
        <p class="fault" role="alert">
          {(isStarted ? problem : null) ?? (fault && (fault.details || fault.message))}
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={!isStarted || problem !== null || busy}>
            Save
          </button>
          <button type="button" onClick={onDone}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};
