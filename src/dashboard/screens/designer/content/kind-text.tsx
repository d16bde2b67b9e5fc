import { FaultOf } from '../../../ui/forms/field.tsx';
import { useField } from '../context.ts';
import type { Text } from './texts.ts';

/** Shows the text that a form makes, or what is missing, and what the service says is wrong with it. */
export const KindText = ({ text }: { readonly text: Text }) => (
  <>
    <p class="muted small" role="status">
      {text.ok ? 'The code contains this text:' : text.fault}
    </p>
    {text.ok && <pre class="listing kind-text">{text.value}</pre>}
    <FaultOf text={useField('data').fault} />
  </>
);
