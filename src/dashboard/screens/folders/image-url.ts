import { BASE } from '../../base.ts';

/**
 * Returns the address of the picture of a saved code. Without a width it is the size that the code was made with.
 *
 * @param version What makes the picture another one. Browsers show a changed picture only under another address.
 */
export const imageUrl = (id: string, format: 'png' | 'svg', width?: number, version?: string): string => {
  const query = new URLSearchParams({
    format,
    ...(width !== undefined && { width: String(width) }),
    ...(version !== undefined && { v: version }),
  });
  return `${BASE}api/v1/codes/${id}/image?${query}`;
};
