/** Shows a share from 0 to 1 as a bar; `null` as one that moves to and fro. */
export const ProgressBar = ({
  share,
  label,
  look = '',
}: {
  readonly share: number | null;
  readonly label: string;
  /** A class that says how it ended. */
  readonly look?: string;
}) => (
  <progress class={`bar ${look}`} max={1} aria-label={label} {...(share === null ? {} : { value: share })} />
);
