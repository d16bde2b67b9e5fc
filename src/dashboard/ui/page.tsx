import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Frames a screen whose script is still loading. */
export const Main = ({ children }: { readonly children: ComponentChildren }) => (
  <main id="main" class="page">
    {children}
  </main>
);

/** Frames a screen. Its heading gets the focus when it is shown, so that keyboards and screen readers start there. */
export const Page = ({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Tessera`;
  }, [title]);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main id="main" class="page">
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </main>
  );
};

/** Groups content under an optional heading of level 2. */
export const Card = ({
  title,
  children,
  class: name = '',
}: {
  readonly title?: string;
  readonly children: ComponentChildren;
  readonly class?: string;
}) => (
  <section class={`card ${name}`}>
    {title !== undefined && <h2>{title}</h2>}
    {children}
  </section>
);
