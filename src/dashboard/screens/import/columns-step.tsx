import { useEffect, useRef } from 'preact/hooks';
import type { BatchPreview } from '../../api/shapes.ts';
import { Quiet, Submit } from '../../ui/buttons.tsx';
import { Columns } from '../batches/columns/columns.tsx';
import { faultOf, type Mapping } from '../batches/columns/mapping.ts';

interface ChooseColumnsProps {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
  readonly onMapping: (mapping: Mapping) => void;
  readonly onNext: () => void;
  readonly onOther: () => void;
}

/** Asks for the column of each field before the rows are checked. */
export const ChooseColumns = ({ preview, mapping, onMapping, onNext, onOther }: ChooseColumnsProps) => {
  const fault = faultOf(preview, mapping);
  const form = useRef<HTMLFormElement>(null);
  // The element that had the focus is gone; keyboards continue here.
  useEffect(() => form.current?.querySelector('h2')?.focus(), []);
  return (
    <form
      ref={form}
      aria-label="Columns of the file"
      onSubmit={(event) => {
        event.preventDefault();
        onNext();
      }}
    >
      <Columns preview={preview} mapping={mapping} fault={fault} onMapping={onMapping}>
        <div class="row">
          <Submit disabled={fault !== null}>Check rows</Submit>
          <Quiet onClick={onOther}>Choose another file</Quiet>
        </div>
      </Columns>
    </form>
  );
};
