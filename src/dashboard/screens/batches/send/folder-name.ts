/** Returns a name for the folder of a file's codes: that of the file, without its endings, and the day. */
export const folderNameOf = (fileName: string): string => {
  const name = fileName.replace(/(\.[a-z]{2,6})(\.gz)?$/i, '').trim();
  return `${name === '' ? 'Batch' : name.slice(0, 180)} ${new Date().toISOString().slice(0, 10)}`;
};
