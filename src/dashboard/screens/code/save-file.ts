const KEPT_MS = 60_000;

/** Downloads what the page has made or received as a file. */
export const saveFile = (name: string, type: string, content: string | Blob): void => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
};
