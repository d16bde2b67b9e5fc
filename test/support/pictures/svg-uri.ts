/** Returns the data URI of an SVG. */
export const svgUri = (svg: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** Returns that of a filled rectangle. */
export const rectUri = (width: number, height: number, fill = 'red'): string =>
  svgUri(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${fill}"/></svg>`,
  );
