/** The palette, which goes anywhere and does anything, as the ARIA practices describe a combobox with a list. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { toScreenPath } from '../api/client.ts';
import { Dialog } from '../ui/form.tsx';
import { count } from '../ui/format.ts';
import { Failure } from '../ui/states.tsx';
import { say } from '../words/say.ts';
import { ACTIONS, afterKey, type Command, fitting, grouped, SCREENS } from './commands.ts';
import { useFound } from './found.ts';
import { Help } from './help.tsx';

const OF_SCREEN = 'main :is(.page-head, .empty) :is(button, a.button):not(:disabled)';

/** Returns what the buttons at the head of the screen do, or what begins it. */
const ofScreen = (): readonly Command[] =>
  [...document.querySelectorAll<HTMLElement>(OF_SCREEN)].map((element) => ({
    group: say('On this screen'),
    title: element.textContent?.trim() || (element.getAttribute('aria-label') ?? ''),
    run: () => element.click(),
  }));

interface LinesProps {
  readonly id: string;
  readonly lines: readonly Command[];
  readonly at: number;
  readonly isBusy: boolean;
  readonly onChoose: (command: Command) => void;
}

/** The lines by their groups. The chosen one is always in sight. */
const Lines = ({ id, lines, at, isBusy, onChoose }: LinesProps) => {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }), [at, lines]);
  return (
    <div id={id} role="listbox" aria-label={say('Results')} aria-busy={isBusy} class="palette-lines">
      {grouped(lines).map(([group, commands]) => (
        // biome-ignore lint/a11y/useSemanticElements: a list of choices has no fieldsets
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden="true">{group}</p>
          {commands.map((command) => {
            const place = lines.indexOf(command);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the input, which has the focus
              // biome-ignore lint/a11y/useFocusableInteractive: the same
              <div
                key={place}
                id={`${id}-${place}`}
                ref={place === at ? chosen : null}
                role="option"
                aria-selected={place === at}
                onClick={() => onChoose(command)}
              >
                <span class="clip">{command.title}</span>
                {command.detail && <span class="muted clip">{command.detail}</span>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
};

interface PaletteProps {
  /** Whether the shortcuts are listed instead. */
  readonly isHelp: boolean;
  readonly onHelp: () => void;
  readonly onSignOut: () => void;
  readonly onClose: () => void;
}

/** A dialog in which a person finds what to do or where to go, or the list of shortcuts. */
export default function Palette({ isHelp, onHelp, onSignOut, onClose }: PaletteProps) {
  const id = useId();
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [here] = useState(ofScreen);
  const { commands: found, error, isSearching } = useFound(text);
  if (isHelp) return <Help onClose={onClose} />;

  const always: readonly Command[] = [
    { group: say('Do'), title: say('Show the keyboard shortcuts'), words: say('help keys'), run: onHelp },
    { group: say('Do'), title: say('Sign out'), words: say('log leave'), run: onSignOut },
  ];
  const known = [...here, ...ACTIONS, ...always, ...SCREENS];
  const lines = [...grouped([...fitting(known, text), ...found])].flatMap(([, commands]) => commands);
  const chosen = Math.min(at, lines.length - 1);
  const choose = ({ path, run }: Command): void => {
    if (run !== onHelp) onClose();
    if (path !== undefined) route(toScreenPath(path));
    // Once the dialog is gone, so that one which this opens gives the focus back to the page.
    else setTimeout(() => run?.());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[chosen];
    const next = afterKey(event.key, chosen, lines.length);
    const isSame = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (next === null && !isSame && event.key !== 'Enter') return;
    event.preventDefault();
    if (isSame) onClose();
    else if (next !== null) setAt(next);
    else if (line !== undefined) choose(line);
  };

  return (
    <Dialog title={say('Search and commands')} look="palette" onClose={onClose}>
      <input
        role="combobox"
        aria-label={say('Search, or say what to do')}
        placeholder={say('Search, or say what to do')}
        aria-expanded={lines.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={lines.length > 0 ? `${id}-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {error && <Failure fault={error} />}
      <Lines id={id} lines={lines} at={chosen} isBusy={isSearching} onChoose={choose} />
      <p class={lines.length > 0 ? 'hidden' : 'muted'} role="status">
        {isSearching
          ? say('Searching …')
          : lines.length > 0
            ? count(lines.length, 'result', 'results')
            : say('Nothing fits.')}
      </p>
    </Dialog>
  );
}
