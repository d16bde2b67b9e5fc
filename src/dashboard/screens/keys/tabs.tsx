import { screen } from '../../base.ts';

const TABS = [
  ['keys', 'Keys', '/keys'],
  ['embedding', 'Embedding', '/keys/embedding'],
  ['webhooks', 'Webhooks', '/keys/webhooks'],
] as const;

/** Leads from keys to embedding and webhooks, and back. */
export const KeyTabs = ({ at }: { readonly at: (typeof TABS)[number][0] }) => (
  <nav class="tabs" aria-label="Keys, embedding and webhooks">
    {TABS.map(([name, label, path]) => (
      <a key={name} href={screen(path)} aria-current={name === at ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
