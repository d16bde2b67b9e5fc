/** How much of a document of labels is there. */

/** The type of a page's object, as pdfkit writes it. What pages show is compressed. */
const PAGE = '/Type /Page\n';

/** Makes a function that counts the pages in the chunks of a document. */
export const createPageCount = (): ((chunk: Uint8Array) => number) => {
  const decoder = new TextDecoder('latin1');
  let count = 0;
  let end = '';
  return (chunk) => {
    const text = end + decoder.decode(chunk, { stream: true });
    count += text.split(PAGE).length - 1;
    const last = text.lastIndexOf(PAGE);
    // What may be the beginning of another one is searched again with the next chunk.
    end = text.slice(Math.max(last < 0 ? 0 : last + PAGE.length, text.length - PAGE.length + 1));
    return count;
  };
};
