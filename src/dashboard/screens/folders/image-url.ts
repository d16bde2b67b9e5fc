import { BASE } from '../../base.ts';

/** Returns the address of the picture of a saved code. Without a width it is the size that the code was made with. */
export const imageUrl = (id: string, format: 'png' | 'svg', width?: number): string =>
  `${BASE}api/v1/codes/${id}/image?format=${format}${width === undefined ? '' : `&width=${width}`}`;
