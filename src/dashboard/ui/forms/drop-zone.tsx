import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface DropZoneProps {
  readonly id: string;
  /** What the file is, for example `a CSV file`. */
  readonly label: string;
  readonly accept: string;
  readonly hint: ComponentChildren;
  readonly onFile: (file: File) => void;
}

/** Takes a file, which a person drops or chooses. */
export const DropZone = ({ id, label, accept, hint, onFile }: DropZoneProps) => {
  const [over, setOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way beside the input inside
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 16V4m0 0L7 9m5-5 5 5M4 16v4h16v-4" />
      </svg>
      <p>
        <strong>Drop {label} here</strong>
      </p>
      <p class="muted small">{hint}</p>
      <label class="button file-button" for={id}>
        Choose a file
        <input
          id={id}
          class="hidden"
          type="file"
          accept={accept}
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
      </label>
    </div>
  );
};
