import { BASE } from '../../base.ts';

/** The picture of a saved code; without a width, at the one that it was made with. */
export const imageUrl = (id: string, format: 'png' | 'svg', width?: number): string =>
  `${BASE}api/v1/codes/${id}/image?format=${format}${width === undefined ? '' : `&width=${width}`}`;
