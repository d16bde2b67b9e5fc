import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Pages } from '../api/query.ts';
import { say } from '../words/say.ts';
import { Button } from './buttons.tsx';
import { pagesHere, rememberPages } from './kept/place.ts';
import { Card } from './page.tsx';
import { Failure, Loaded } from './states.tsx';

/**
 * Returns a function that loads the next page of a list. When a person comes back to the list, as many pages are loaded
 * as were.
 */
export const useMore = (pages: Pages): (() => void) => {
  const { list, pageCount, hasNextPage, isFetching, isPlaceholderData, moreFault, fetchNextPage } = pages;
  const mayGoOn = hasNextPage && !isFetching && !isPlaceholderData && moreFault === null;
  useEffect(() => {
    if (mayGoOn && pageCount < pagesHere(list)) void fetchNextPage();
  });
  return () => {
    rememberPages(list, pageCount + 1);
    void fetchNextPage();
  };
};

/** Ends a paged list: with a button for the next page, or with the reason why that page failed. */
export const More = ({ pages }: { readonly pages: Pages }) => {
  const more = useMore(pages);
  if (pages.moreFault !== null) return <Failure fault={pages.moreFault} retry={more} />;
  if (!pages.hasNextPage) return null;
  return (
    <div class="row">
      <Button onClick={more} disabled={pages.isFetchingNextPage}>
        {pages.isFetchingNextPage ? say('Loading …') : say('Show more')}
      </Button>
    </div>
  );
};

interface HeadProps {
  readonly columns: readonly string[];
  readonly hasActions?: boolean;
}

/** The first row of a table, with a last column of actions, if it has any. */
export const Head = ({ columns, hasActions = false }: HeadProps) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
      {hasActions && (
        <th>
          <span class="hidden">{say('Actions')}</span>
        </th>
      )}
    </tr>
  </thead>
);

/**
 * Shows a list page by page, as a table whose last column has actions, if it has any. `empty` stands for an empty list.
 */
export const PagedTable = <T,>({
  pages,
  what,
  columns,
  hasActions = true,
  look = '',
  empty,
  row,
}: {
  readonly pages: Pages & { readonly items: readonly T[] };
  /** What is loaded, as error messages call it. */
  readonly what: string;
  readonly columns: readonly string[];
  readonly hasActions?: boolean;
  /** A further class of the card. */
  readonly look?: string;
  readonly empty: ComponentChildren;
  readonly row: (item: T) => ComponentChildren;
}) => (
  <>
    <Loaded load={pages} what={what}>
      {() =>
        pages.items.length === 0 ? (
          empty
        ) : (
          <Card class={look}>
            <table class="table">
              <Head columns={columns} hasActions={hasActions} />
              <tbody>{pages.items.map(row)}</tbody>
            </table>
          </Card>
        )
      }
    </Loaded>
    <More pages={pages} />
  </>
);

const PAUSE_MS = 250;

interface SearchProps {
  readonly label: string;
  /** What the list is searched for. */
  readonly searched: string;
  readonly onSearch: (text: string) => void;
}

/** Shows a search field, which reports its text, trimmed, when the typing pauses for a quarter of a second. */
export const Search = ({ label, searched, onSearch }: SearchProps) => {
  const [text, setText] = useState(searched);
  const [told, setTold] = useState(searched);
  if (searched !== told) {
    // Back, or a link, has changed what is searched for.
    setTold(searched);
    setText(searched);
  }
  const typed = text.trim();
  useEffect(() => {
    if (typed === told) return;
    const timer = setTimeout(() => {
      setTold(typed);
      onSearch(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, told]);
  return (
    <label class="search">
      <span class="hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={text}
        maxLength={100}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
};
