/** Shows the logo of the product, beside its name. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill="var(--accent)" />
    <path fill="var(--surface)" d="M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h2v2H9zM11 11h2v2h-2z" />
  </svg>
);
