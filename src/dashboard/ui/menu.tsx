/** A menu of actions behind a button, as the ARIA practices describe it: arrow keys, Home, End, Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './buttons.tsx';

/** An action, or a link when it has an address. */
export interface MenuItem {
  readonly label: string;
  readonly href?: string;
  /** Whether the address is a file to keep. */
  readonly isFile?: boolean;
  readonly run?: () => void;
  readonly isDanger?: boolean;
}

const MARGIN_PX = 8;

/** Puts the list below the button, or above it when there is more room, and always inside the window. */
const place = (list: HTMLElement, button: HTMLElement): void => {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const isBelow = at.bottom + height + MARGIN_PX <= innerHeight || at.top < height + MARGIN_PX;
  const left = Math.min(Math.max(MARGIN_PX, at.right - width), innerWidth - width - MARGIN_PX);
  list.style.left = `${left}px`;
  list.style.top = `${isBelow ? at.bottom + 4 : at.top - height - 4}px`;
};

/** Returns the item that gets the focus after a key; `null`: the key means nothing here. */
const afterKey = (key: string, at: number, count: number): number | null => {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
};

interface ItemsProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly button: HTMLElement;
  readonly onClose: () => void;
}

const Items = ({ label, items, button, onClose }: ItemsProps) => {
  const list = useRef<HTMLDivElement>(null);
  const all = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  useLayoutEffect(() => {
    if (list.current) place(list.current, button);
    all()[0]?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const outside = (event: Event) => {
      const target = event.target as Node;
      if (!list.current?.contains(target) && !button.contains(target)) onClose();
    };
    const follow = () => list.current && place(list.current, button);
    addEventListener('pointerdown', outside);
    addEventListener('scroll', follow, true);
    addEventListener('resize', follow);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('scroll', follow, true);
      removeEventListener('resize', follow);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' || event.key === 'Escape') {
      if (event.key === 'Escape') button.focus();
      onClose();
      return;
    }
    const there = all();
    const next = afterKey(event.key, there.indexOf(document.activeElement as HTMLElement), there.length);
    if (next === null) return;
    event.preventDefault();
    there[next]?.focus();
  };
  const choose = (item: MenuItem): void => {
    // A dialog that the action opens returns the focus to where it was.
    button.focus({ preventScroll: true });
    onClose();
    item.run?.();
  };

  return (
    <div ref={list} class="menu-items" role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {items.map((item) => {
        const { label: name, href, isFile, isDanger } = item;
        const shared = { role: 'menuitem', tabIndex: -1, onClick: () => choose(item) } as const;
        return href === undefined ? (
          <Button key={name} class={isDanger ? 'danger' : ''} {...shared}>
            {name}
          </Button>
        ) : (
          <a key={name} href={href} {...(isFile && { download: '' })} {...shared}>
            {name}
          </a>
        );
      })}
    </div>
  );
};

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** What the button says; absent: it shows three dots. */
  readonly children?: ComponentChildren;
}

/** Shows a button that opens a menu. @param label Names the menu for those who do not see the button's context. */
export const Menu = ({ label, items, children }: MenuProps) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class={children === undefined ? 'quiet icon' : ''}
        {...(children === undefined && { 'aria-label': label })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onKeyDown}
      >
        {children ?? (
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="currentColor">
            <circle cx="10" cy="4" r="1.6" />
            <circle cx="10" cy="10" r="1.6" />
            <circle cx="10" cy="16" r="1.6" />
          </svg>
        )}
      </button>
      {isOpen && button.current && (
        <Items label={label} items={items} button={button.current} onClose={() => setOpen(false)} />
      )}
    </div>
  );
};
