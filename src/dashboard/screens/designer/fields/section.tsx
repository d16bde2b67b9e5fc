import type { ComponentChildren } from 'preact';
import { useDesign } from '../context.ts';

/** Shows a group of options that can be folded. It opens by itself when the service finds a fault in it. */
export const Section = ({
  title,
  about,
  open = false,
  children,
}: {
  readonly title: string;
  /** The first parts of the paths of its fields. */
  readonly about: readonly string[];
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) => {
  const { fault } = useDesign();
  const faulty = fault !== null && about.includes(fault.path.split('.')[0] ?? '');
  return (
    <details class="card section" open={open || faulty}>
      <summary>{title}</summary>
      <fieldset>
        <legend class="hidden">{title}</legend>
        {children}
      </fieldset>
    </details>
  );
};
