import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useDesign } from '../context.ts';

interface SectionProps {
  readonly title: string;
  /** The first parts of the paths of its fields. */
  readonly about: readonly string[];
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

/** Shows a group of options that can be folded. It opens by itself when the service finds a fault in it. */
export const Section = ({ title, about, open = false, children }: SectionProps) => {
  const { fault } = useDesign();
  const isFaulty = fault !== null && about.includes(fault.path.split('.')[0] ?? '');
  const [isOpen, setOpen] = useState(open);
  // It stays open when the fault is fixed, because somebody is working in it.
  useEffect(() => {
    if (isFaulty) setOpen(true);
  }, [isFaulty]);
  return (
    <details
      class="card section"
      open={isOpen}
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{title}</summary>
      <fieldset>
        <legend class="hidden">{title}</legend>
        {children}
      </fieldset>
    </details>
  );
};
