/** The name of the folder in which codes are saved. */
export const FolderField = ({
  id,
  name,
  onName,
}: {
  readonly id: string;
  readonly name: string;
  readonly onName: (name: string) => void;
}) => (
  <div class="field">
    <label for={id}>
      Folder <span class="muted">created if it does not exist</span>
    </label>
    <input
      id={id}
      type="text"
      maxLength={200}
      value={name}
      onInput={(event) => onName(event.currentTarget.value)}
    />
  </div>
);
