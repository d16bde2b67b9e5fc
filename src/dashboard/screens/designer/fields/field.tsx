import type { ComponentChildren } from 'preact';
import type { FieldState } from '../context.ts';

/** Shows a label, its input and, below, what is wrong with the value. */
export const Field = ({
  field: { id, fault },
  label,
  hint,
  children,
}: {
  readonly field: Pick<FieldState, 'id' | 'fault'>;
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}) => (
  <div class="field">
    <label for={id}>
      {label} {hint !== undefined && <span class="muted">{hint}</span>}
    </label>
    {children}
    {fault !== null && (
      <p class="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    )}
  </div>
);
