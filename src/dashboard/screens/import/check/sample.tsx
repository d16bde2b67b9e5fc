import type { Column } from '../table/columns.ts';
import type { Row } from '../table/rows.ts';

const SHOWN = 5;

/** Shows the first correct rows, so that a person sees whether the columns are right. */
export const Sample = ({
  rows,
  columns,
}: {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
}) => (
  <section class="card" aria-labelledby="sample-title">
    <h2 id="sample-title">The first rows</h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section class="scroll" tabIndex={0} aria-label="First rows">
      <table class="table plain">
        <thead>
          <tr>
            <th scope="col">Row</th>
            {columns.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map(({ number, cells }) => (
            <tr key={number}>
              <td>{number}</td>
              {columns.map(({ name }, index) => (
                <td key={name}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </section>
);
