/** The parts of a page: its title, cards, figures and tabs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toScreenPath } from '../base.ts';
import { formatNumber } from './format.ts';

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
    document.title = `${title} · Tessera`;
  }, [title]);
  useEffect(() => heading.current?.focus(), []);
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

/** Labelled numbers side by side. */
export const FigureList = ({ figures }: { readonly figures: readonly (readonly [string, number])[] }) => (
  <dl class="figures">
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{formatNumber(value)}</dd>
      </div>
    ))}
  </dl>
);

interface TabsProps<T extends string> {
  /** Names the tabs together. */
  readonly label: string;
  readonly tabs: readonly (readonly [name: T, label: string, path: string])[];
  /** The name of the screen that is shown. */
  readonly at: T;
}

/** Leads between screens that belong together. */
export const Tabs = <T extends string>({ label, tabs, at }: TabsProps<T>) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(([name, title, path]) => (
      <a key={name} href={toScreenPath(path)} aria-current={name === at ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
);
