import { useEffect, useState } from 'preact/hooks';
import type { QrRequest } from '../../../api/shapes.ts';
import { thumbnail } from './thumbnails.ts';

/**
 * Shows a small picture of a design beside its name; nothing while it is drawn, or when the service does not draw it.
 */
export const Thumbnail = ({ request }: { readonly request: QrRequest }) => {
  const [picture, setPicture] = useState<string | null>(null);
  const body = JSON.stringify(request);
  useEffect(() => {
    let isShown = true;
    thumbnail(request).then(
      (url) => isShown && setPicture(url),
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [body]);
  return picture === null ? null : <img src={picture} alt="" />;
};
