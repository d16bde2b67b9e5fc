/** A PNG as an `<img>` takes it inline (RFC 2397); copies no pixels before it encodes them. */
export const toDataUrl = (png: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;
