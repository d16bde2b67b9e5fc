/** Listens to the keyboard, and shows the button of the palette. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { toScreenPath } from '../api/client.ts';
import { Quiet } from '../ui/buttons.tsx';
import { Icon } from '../ui/page.tsx';
import { makePart } from '../ui/part.tsx';
import { say } from '../words/say.ts';
import { COMMAND, hasSingleKeys } from './here.ts';
import { actOf, type Press } from './shortcuts.ts';

const Palette = makePart('palette', () => import('./palette.tsx'), {
  what: say('the palette'),
  frame: ({ children }) => <div class="palette menu-items">{children}</div>,
});

/** How long a key may follow `g`. */
const PREFIX_MS = 1500;

const FIELDS = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]';

const toPress = (event: KeyboardEvent): Press => ({
  key: event.key,
  isCommand: event.ctrlKey || event.metaKey,
  isAlt: event.altKey,
  isTyping: event.target instanceof Element && event.target.closest(FIELDS) !== null,
  isInDialog: document.querySelector('dialog[open]') !== null,
});

/** Puts the cursor into the search of the screen. Returns whether it has one. */
const toSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
};

/** Makes shortcuts work on every screen, and shows the button that opens the palette. */
export const Keyboard = ({ onSignOut }: { readonly onSignOut: () => void }) => {
  const [view, setView] = useState<'palette' | 'help' | null>(null);
  const { route } = useLocation();
  const prefixMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing || event.defaultPrevented) return;
      const isAfterPrefix = event.timeStamp - prefixMs.current < PREFIX_MS;
      const act = actOf(toPress(event), isAfterPrefix, hasSingleKeys());
      prefixMs.current = act === 'prefix' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (act === null || act === 'prefix') return;
      event.preventDefault();
      if (typeof act === 'object') route(toScreenPath(act.path));
      else if (act !== 'search') setView(act);
      else if (!toSearch()) setView('palette');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [route]);
  return (
    <>
      <Quiet class="quiet icon" aria-keyshortcuts="Control+K Meta+K" onClick={() => setView('palette')}>
        <Icon name="search" />
        <span class="hidden">{say('Search and commands')} </span>
        <kbd>{COMMAND} K</kbd>
      </Quiet>
      {view !== null && (
        <Palette
          isHelp={view === 'help'}
          onHelp={() => setView('help')}
          onSignOut={onSignOut}
          onClose={() => setView(null)}
        />
      )}
    </>
  );
};
