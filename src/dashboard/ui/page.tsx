/** The parts of a page: its title, cards, figures, tabs and icons. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { toScreenPath } from '../api/client.ts';
import { say } from '../words/say.ts';
import { formatNumber } from './format.ts';

const PATHS = {
  accounts: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20a7.5 7.5 0 0 1 15 0',
  home: 'M4 11 12 4l8 7M6 9.5V20h12V9.5M10 20v-5h4v5',
  codes: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5z',
  folder:
    'M3.5 6.5a1.5 1.5 0 0 1 1.5-1.5h4l2 2.5h8a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z',
  designer: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5 17.5 10',
  import: 'M12 4v11m0 0-4-4m4 4 4-4M4 15v4.5h16V15',
  batches: 'M12 4 3.5 8.5 12 13l8.5-4.5zM3.5 12.5 12 17l8.5-4.5M3.5 16.5 12 21l8.5-4.5',
  key: 'M14.5 13.5a5 5 0 1 0-4-4L4 16v4h4v-2.5h2.5V15H13zM16 8h.01',
  bin: 'M4.5 6.5h15M9 6.5V4h6v2.5M6.5 6.5 7.5 20h9l1-13.5M10 10.5v6M14 10.5v6',
  links: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  scans: 'M5 20v-7M12 20V5M19 20v-10',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  done: 'M5 12.5 10 17.5 19.5 7',
  more: 'M5 12h1M11.5 12h1M18 12h1',
} as const;

export type IconName = keyof typeof PATHS;

/** Shows a drawing in the colour of the text. Screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

/** Shows the logo of the product, beside its name. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill="var(--accent)" />
    <path fill="var(--surface)" d="M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h2v2H9zM11 11h2v2h-2z" />
  </svg>
);

/** Frames a screen whose script is still loading. */
export const Main = ({ children }: { readonly children: ComponentChildren }) => (
  <main id="main" class="page">
    {children}
  </main>
);

/** A link to the parent screen. */
export const Above = ({ path, name }: { readonly path: string; readonly name: string }) => (
  <a class="above" href={toScreenPath(path)}>
    <span aria-hidden="true">← </span>
    {name}
  </a>
);

interface PageProps {
  readonly title: string;
  /** An `Above`. */
  readonly above?: ComponentChildren;
  /** Stands beside the heading. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Frames a screen. Its heading gets the focus when it is shown, so that keyboards and screen readers start there. */
export const Page = ({ title, above, beside, actions, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = say('{title} · Tessera', { title });
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main id="main" class="page">
      <header class="page-head">
        <div class="page-title">
          {above}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </main>
  );
};

interface CardProps {
  readonly title?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** Groups content under an optional heading of level 2, with actions beside it. */
export const Card = ({ title, actions, children, class: name = '' }: CardProps) => (
  <section class={`card ${name}`}>
    {title !== undefined && actions === undefined && <h2>{title}</h2>}
    {actions !== undefined && (
      <header class="card-head">
        <h2>{title}</h2>
        {actions}
      </header>
    )}
    {children}
  </section>
);

interface SettingProps {
  readonly title: ComponentChildren;
  readonly actions: ComponentChildren;
  /** How it is set now. */
  readonly children: ComponentChildren;
}

/** Shows one setting under a heading of level 3, with the actions that change it beside it. */
export const Setting = ({ title, actions, children }: SettingProps) => (
  <div class="setting">
    <div>
      <h3>{title}</h3>
      {children}
    </div>
    <div class="row">{actions}</div>
  </div>
);

/** Short facts in a row, with dots between those of one line; what is empty is left out. */
export const Dots = ({ facts }: { readonly facts: readonly (string | false | null)[] }) => (
  <span class="dots muted small">{facts.map((fact) => fact && <span key={fact}>{fact}</span>)}</span>
);

/** Facts with their names; one without a value is left out. */
export const FactList = ({
  facts,
}: {
  readonly facts: readonly (readonly [string, string | number | false | null])[];
}) => (
  <dl class="facts across">
    {facts.map(
      ([name, fact]) =>
        fact && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A number with its name and, if there is one to compare with, how it differs. */
export type Figure = readonly [name: string, value: number, difference?: string];

export const FigureList = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <dl class="figures">
    {figures.map(([name, value, difference]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{formatNumber(value)}</dd>
        {difference !== undefined && <dd>{difference}</dd>}
      </div>
    ))}
  </dl>
);

/** Screens that belong together: what they are, and the title and path of each. */
const TABS = {
  batches: {
    label: say('Batches'),
    screens: [
      [say('Batches'), '/batches'],
      [say('Counters'), '/batches/counters'],
    ],
  },
  codes: {
    label: say('Codes'),
    screens: [
      [say('Codes'), '/codes'],
      [say('Folders'), '/folders'],
      [say('Bin'), '/bin'],
    ],
  },
  keys: {
    label: say('Developers'),
    screens: [
      [say('Keys'), '/keys'],
      [say('Embedding'), '/keys/embedding'],
      [say('Webhooks'), '/keys/webhooks'],
    ],
  },
  links: {
    label: say('Short links'),
    screens: [
      [say('Links'), '/links'],
      [say('Domains'), '/links/domains'],
      [say('Rule sets'), '/links/rule-sets'],
      [say('Files'), '/links/jobs'],
      [say('Resolver'), '/links/resolver'],
      [say('Settings'), '/links/settings'],
    ],
  },
} as const;

/** Leads between screens that belong together. */
export const Tabs = ({ of }: { readonly of: keyof typeof TABS }) => {
  const here = useLocation().path.replace(/\/$/, '');
  const { label, screens } = TABS[of];
  return (
    <nav class="tabs" aria-label={label}>
      {screens.map(([title, path]) => (
        <a
          key={path}
          href={toScreenPath(path)}
          aria-current={here === toScreenPath(path) ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
};
