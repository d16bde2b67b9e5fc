import type { ComponentChildren } from 'preact';
import { Card } from '../page.tsx';
import { Loaded } from '../states.tsx';
import { More } from './more.tsx';
import type { Pages } from './paged.ts';

/**
 * Shows a list page by page, as a table whose last column has actions, if it has any. `empty` stands for an empty list.
 */
export const PagedTable = <T,>({
  pages,
  what,
  columns,
  hasActions = true,
  empty,
  row,
}: {
  readonly pages: Pages<T>;
  /** What is loaded, as a fault calls it. */
  readonly what: string;
  readonly columns: readonly string[];
  readonly hasActions?: boolean;
  readonly empty: ComponentChildren;
  readonly row: (item: T) => ComponentChildren;
}) => (
  <>
    <Loaded load={pages.first} what={what}>
      {() =>
        pages.items.length === 0 ? (
          empty
        ) : (
          <Card>
            <table class="table">
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column}>{column}</th>
                  ))}
                  {hasActions && (
                    <th>
                      <span class="hidden">Actions</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>{pages.items.map(row)}</tbody>
            </table>
          </Card>
        )
      }
    </Loaded>
    <More pages={pages} />
  </>
);
