import { number } from './format.ts';

/** Labelled numbers beside each other. */
export const FigureList = ({ figures }: { readonly figures: readonly (readonly [string, number])[] }) => (
  <dl class="figures">
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{number(value)}</dd>
      </div>
    ))}
  </dl>
);
