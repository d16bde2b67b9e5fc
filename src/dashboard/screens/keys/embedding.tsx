import { api, ask } from '../../api/client.ts';
import type { SigningSecret } from '../../api/shapes.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { EmbedPane } from './embed.tsx';
import { SigningSecrets } from './signing-secrets.tsx';
import { KeyTabs } from './tabs.tsx';

const loadSecrets = async (signal: AbortSignal): Promise<readonly SigningSecret[]> =>
  (await ask(api.GET('/api/v1/signing-secrets', { signal }))).data;

/** Makes pictures for web pages and emails, and shows the secrets that sign their addresses. */
export default function Embedding(_: { readonly path: string }) {
  const secrets = useLoad(loadSecrets, []);
  return (
    <Page title="Embedding">
      <KeyTabs at="embedding" />
      <div class="pair">
        <EmbedPane secrets={secrets.data} onSecret={secrets.reload} />
        <Card title="Signing secrets">
          <p class="muted">They sign the addresses of embedded pictures, here and on your own server.</p>
          <Loaded load={secrets} what="your signing secrets">
            {(held) => <SigningSecrets secrets={held} onChanged={secrets.reload} />}
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}
