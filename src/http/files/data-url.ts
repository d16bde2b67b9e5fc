/** Returns a PNG as a base64 data URL (RFC 2397). The bytes are not copied before they are encoded. */
export const toDataUrl = (png: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;
