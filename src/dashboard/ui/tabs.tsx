import { toScreenPath } from '../base.ts';

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
