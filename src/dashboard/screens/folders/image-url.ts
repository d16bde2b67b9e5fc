import { BASE } from '../../base.ts';

/** Address of the picture of a saved code. Without a width the picture has the size it was made with. */
export const imageUrl = (id: string, format: 'png' | 'svg', width?: number): string =>
  `${BASE}api/v1/codes/${id}/image?format=${format}${width === undefined ? '' : `&width=${width}`}`;
