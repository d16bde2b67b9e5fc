import type { Code } from '../../api/shapes.ts';
import { screen } from '../../base.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { imageUrl } from '../folders/image-url.ts';

/** What the menu of a code sets off in the list. */
export interface CodeActions {
  rename(code: Code): void;
  move(codes: readonly Code[]): void;
  /** Has their pictures read. */
  verify(codes: readonly Code[]): void;
  remove(codes: readonly Code[]): void;
  /** Asks where and when the short links of these codes lead. Codes without one are passed over. */
  editLinks(codes: readonly Code[]): void;
  copyLink(slug: string): void;
}

/** Returns the menu of a code. */
export const menuOf = (code: Code, actions: CodeActions): readonly MenuItem[] => [
  { label: 'Rename', run: () => actions.rename(code) },
  { label: 'Download PNG', href: imageUrl(code.id, 'png'), isFile: true },
  { label: 'Download SVG', href: imageUrl(code.id, 'svg'), isFile: true },
  ...(code.slug === null ? [] : [{ label: 'Copy short link', run: () => actions.copyLink(code.slug ?? '') }]),
  { label: 'Edit design', href: screen(`/design?edit=${code.id}`) },
  { label: 'Duplicate', href: screen(`/design?from=${code.id}`) },
  { label: 'Move to a folder', run: () => actions.move([code]) },
  { label: 'Delete', run: () => actions.remove([code]), isDanger: true },
];
