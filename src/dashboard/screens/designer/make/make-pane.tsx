import { useState } from 'preact/hooks';
import type { Fault } from '../../../api/client.ts';
import { useSession } from '../../../session.ts';
import { count } from '../../../ui/format.ts';
import { FolderField } from '../../../ui/forms/folder-field.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { asFault } from '../../../ui/use-load.ts';
import { FileFields } from '../../download/file-fields.tsx';
import type { Draft } from '../draft.ts';
import { Made, type MadeCode } from './made.tsx';
import { makeAlone, makeInFolder } from './make.ts';
import { useFileChoice } from './use-file-choice.ts';

type Place = 'alone' | 'folder';

/** Returns why this session cannot make the code here; otherwise `null`. */
const obstacle = (plan: string, scopes: readonly string[], place: Place): string | null => {
  if (!scopes.includes('generate'))
    return 'Your key cannot make codes. Sign in with one that has the scope “generate”.';
  if (place === 'folder' && plan !== 'pro') return 'Folders and dynamic codes need the Pro plan.';
  return null;
};

/** Where the code is saved. A dynamic code needs a folder. */
const PlaceChoice = ({
  place,
  dynamic,
  onPlace,
}: {
  readonly place: Place;
  readonly dynamic: boolean;
  readonly onPlace: (place: Place) => void;
}) => (
  <fieldset class="choice">
    <legend>Where to save it</legend>
    <label>
      <input
        type="radio"
        name="place"
        checked={place === 'alone'}
        disabled={dynamic}
        onChange={() => onPlace('alone')}
      />
      Nowhere, only download it
    </label>
    <label>
      <input type="radio" name="place" checked={place === 'folder'} onChange={() => onPlace('folder')} />
      In a folder
    </label>
  </fieldset>
);

const madeInWords = ({ remaining }: MadeCode): string =>
  remaining === null ? 'Made.' : `Made. ${count(remaining, 'unit')} left.`;

/** Makes the code and shows it. `onFault` gets the reason when the service refuses. */
export const MakePane = ({
  draft,
  folderName,
  onFolderName,
  onFault,
}: {
  readonly draft: Draft;
  readonly folderName: string;
  readonly onFolderName: (name: string) => void;
  readonly onFault: (fault: Fault) => void;
}) => {
  const { account, scopes } = useSession();
  const [chosen, choose] = useState<Place>('alone');
  const { busy, fault, run, clear } = useAction();
  const [made, setMade] = useState<MadeCode | null>(null);
  const [shown, setShown] = useState(false);
  const place = draft.dynamic ? 'folder' : chosen;
  const file = useFileChoice(fault);
  const hindered = obstacle(account.plan, scopes, place);

  const make = async (): Promise<void> => {
    if (place === 'alone' && !file.check()) return;
    try {
      const code = await (place === 'folder'
        ? makeInFolder(draft, folderName.trim())
        : makeAlone(draft.request, file.choice));
      setMade(code);
      setShown(true);
    } catch (error) {
      onFault(asFault(error));
      throw error;
    }
  };

  return (
    <section class="card make" aria-labelledby="make-title">
      <h2 id="make-title">Make the code</h2>
      <PlaceChoice place={place} dynamic={draft.dynamic} onPlace={choose} />
      {place === 'alone' && (
        <FileFields
          choice={file.choice}
          fault={file.told}
          pixels="Pixels, as designed"
          hasWidth={false}
          onChange={(choice) => {
            clear();
            file.setChoice(choice);
          }}
        />
      )}
      {place === 'folder' && <FolderField id="make-folder" name={folderName} onName={onFolderName} />}
      <button
        type="button"
        class="primary"
        disabled={busy || hindered !== null || draft.request.data === '' || folderName.trim() === ''}
        onClick={() => void run(make)}
      >
        {busy ? 'Making …' : 'Make the code'}
      </button>
      <p class="muted" role="status">
        {hindered ?? (made === null ? 'Costs 1 unit.' : madeInWords(made))}
      </p>
      {fault !== null && !(place === 'alone' && file.isAtField) && <Failure fault={fault} />}
      {made !== null && shown && <Made made={made} onClose={() => setShown(false)} />}
    </section>
  );
};
