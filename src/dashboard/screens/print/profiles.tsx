/** Print profiles: what somebody chose of files, kept with the account under a name. */
import { useState } from 'preact/hooks';
import { api, ifMatch } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { PrintProfile } from '../../api/shapes.ts';
import { Quiet, useAction } from '../../ui/buttons.tsx';
import { NameInput, SelectInput } from '../../ui/fields.tsx';
import { useDraft } from '../../ui/kept/drafts.ts';
import { FieldFailure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { faultOf, type PrintChoice, toChoice, toOptions } from './choice.ts';

const LIMIT = 100;
const NONE: readonly PrintProfile[] = [];

const optionsOf = (choice: PrintChoice) => ({ format: choice.formats[0]!, ...toOptions(choice) });

const isSame = (choice: PrintChoice, profile: PrintProfile): boolean =>
  JSON.stringify(optionsOf(choice)) === JSON.stringify(optionsOf(toChoice(profile.options, choice)));

interface ProfilesProps {
  readonly choice: PrintChoice;
  readonly onChoice: (choice: PrintChoice) => void;
}

/** Takes the name of a new profile. */
const NewProfile = ({
  choice,
  onSaved,
  onClose,
}: {
  readonly choice: PrintChoice;
  readonly onSaved: (profile: PrintProfile) => void;
  readonly onClose: () => void;
}) => {
  const [{ name }, enter, draft] = useDraft('print profile', { name: '' });
  const { busy, fault, run, clear } = useAction();
  const save = () =>
    run(async () => {
      onSaved(
        await change(api.POST('/api/v1/print-profiles', { body: { name, options: optionsOf(choice) } })),
      );
      draft.drop();
      onClose();
    });
  return (
    <div class="stack">
      <NameInput
        label={say('Name of the profile')}
        hint={choice.formats.length > 1 ? say('it keeps the first format') : undefined}
        value={name}
        onText={(text) => {
          clear();
          enter({ name: text });
        }}
        // The form around this one downloads.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void save();
        }}
      />
      <FieldFailure fault={fault} />
      <div class="row">
        <Quiet disabled={busy || name.trim() === ''} onClick={() => void save()}>
          {say('Save the profile')}
        </Quiet>
        <Quiet onClick={onClose}>{say('Cancel')}</Quiet>
      </div>
    </div>
  );
};

/** Lets a person take a profile, save the present choice as one, change it and delete it. */
export const Profiles = ({ choice, onChoice }: ProfilesProps) => {
  const { data } = useGet('/api/v1/print-profiles', { query: { limit: LIMIT } });
  const [chosen, setChosen] = useState('');
  const [isNaming, setNaming] = useState(false);
  const { busy, fault, run } = useAction();
  const profiles = data?.data ?? NONE;
  const current = profiles.find(({ id }) => id === chosen);
  const isChanged = current !== undefined && !isSame(choice, current);
  const isRight = faultOf(choice) === null;
  const paramsOf = (profile: PrintProfile) => ({ path: { id: profile.id }, header: ifMatch(profile) });
  const take = (id: string): void => {
    setChosen(id);
    const profile = profiles.find((each) => each.id === id);
    if (profile !== undefined) onChoice(toChoice(profile.options, choice));
  };
  const update = (profile: PrintProfile) =>
    change(
      api.PATCH('/api/v1/print-profiles/{id}', {
        params: paramsOf(profile),
        body: { options: optionsOf(choice) },
      }),
    );
  const remove = (profile: PrintProfile) =>
    change(api.DELETE('/api/v1/print-profiles/{id}', { params: paramsOf(profile) }));
  return (
    <div class="profiles">
      {profiles.length > 0 && (
        <SelectInput
          look="narrow"
          label={say('Profile')}
          value={current?.id ?? ''}
          options={[['', say('None')], ...profiles.map(({ id, name }) => [id, name] as const)]}
          onChoose={take}
        />
      )}
      {isNaming ? (
        <NewProfile choice={choice} onSaved={({ id }) => setChosen(id)} onClose={() => setNaming(false)} />
      ) : (
        <div class="row">
          {current !== undefined && isChanged && (
            <Quiet disabled={busy || !isRight} onClick={() => void run(() => update(current))}>
              {say('Save the changes to “{name}”', { name: current.name })}
            </Quiet>
          )}
          {(current === undefined || isChanged) && (
            <Quiet disabled={!isRight} onClick={() => setNaming(true)}>
              {say('Save as a profile')}
            </Quiet>
          )}
          {current !== undefined && !isChanged && (
            <Quiet disabled={busy} onClick={() => void run(() => remove(current))}>
              {say('Delete “{name}”', { name: current.name })}
            </Quiet>
          )}
        </div>
      )}
      <FieldFailure fault={fault} />
    </div>
  );
};
