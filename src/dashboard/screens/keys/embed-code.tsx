import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { EmbedSigned } from './embed-signed.tsx';
import { imageTag } from './image-tag.ts';
import { WidthField } from './width-field.tsx';

/** Makes the markup of a saved code for a web page or an email, with a signed address. */
export const EmbedCode = ({
  code,
  onClose,
}: {
  readonly code: Pick<Code, 'id' | 'content' | 'width' | 'height'>;
  readonly onClose: () => void;
}) => {
  const [widthPx, setWidthPx] = useState(code.width);
  const heightPx = Math.round((widthPx * code.height) / code.width);
  const secrets = useLoad((signal) => ask(api.GET('/api/v1/signing-secrets', { signal })), []);
  return (
    <Dialog title="Embed the code" onClose={onClose}>
      <p class="muted">
        A picture for a web page or an email. Its signed address shows this one code and costs 1 unit in each
        month in which it is shown. A change of the design shows there within a day.
      </p>
      <WidthField widthPx={widthPx} onWidth={setWidthPx} />
      <EmbedSigned
        shown={{ code: code.id, width: widthPx }}
        tagOf={(url) => imageTag(url, { widthPx, heightPx, content: code.content })}
        secrets={secrets.data?.data ?? null}
        onMade={secrets.reload}
      />
      <button type="button" class="quiet" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
};
