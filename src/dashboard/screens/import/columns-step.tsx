import { useEffect, useRef } from 'preact/hooks';
import type { BatchPreview } from '../../api/shapes.ts';
import { Columns } from '../batches/columns/columns.tsx';
import { faultOf, type Mapping } from '../batches/columns/mapping.ts';

/** Asks which column of a file is which, before its rows are checked. */
export const ChooseColumns = ({
  preview,
  mapping,
  onMapping,
  onNext,
  onOther,
}: {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
  readonly onMapping: (mapping: Mapping) => void;
  readonly onNext: () => void;
  readonly onOther: () => void;
}) => {
  const form = useRef<HTMLFormElement>(null);
  // What had the focus is gone; keyboards go on here.
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
      <Columns preview={preview} mapping={mapping} onMapping={onMapping}>
        <div class="row">
          <button type="submit" class="primary" disabled={faultOf(preview, mapping) !== null}>
            Check rows
          </button>
          <button type="button" class="quiet" onClick={onOther}>
            Choose another file
          </button>
        </div>
      </Columns>
    </form>
  );
};
