import { count, formatNumber, percent } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';

/** From the best grade to the lowest, as the answer counts them from 0. */
const GRADES = [
  { grade: 4, text: 'Scan well', color: 'var(--grade-4)' },
  { grade: 3, text: 'Nearly every reader scans them', color: 'var(--grade-3)' },
  { grade: 2, text: 'May be hard to scan', color: 'var(--grade-2)' },
  { grade: 1, text: 'Hard to scan', color: 'var(--grade-1)' },
  { grade: 0, text: 'Few readers scan them', color: 'var(--grade-0)' },
] as const;

/** Shows how well the codes of a batch can be scanned. @param grades Codes of grade 0 to 4. */
export const Grades = ({ grades }: { readonly grades: readonly number[] }) => {
  const codes = grades.reduce((sum, each) => sum + each, 0);
  const found = GRADES.map((each) => ({ ...each, codes: grades[each.grade] ?? 0 })).filter(
    (each) => each.codes > 0,
  );
  let at = 0;
  return (
    <Card title="How well they scan">
      <svg
        class="grade-bar"
        viewBox={`0 0 ${Math.max(1, codes)} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {found.map(({ grade, codes: width, color }) => {
          const x = at;
          at += width;
          return <rect key={grade} {...{ x, width, height: 1 }} fill={color} />;
        })}
      </svg>
      <ul class="grade-list">
        {found.map(({ grade, text, codes: of, color }) => (
          <li key={grade}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" fill={color} />
            </svg>
            <span>
              <strong>Grade {grade}</strong> <span class="muted">{text}</span>
            </span>
            <span class="number">
              {formatNumber(of)} <span class="muted">{of * 100 < codes ? '< 1 %' : percent(of / codes)}</span>
            </span>
          </li>
        ))}
      </ul>
      {codes > (grades[4] ?? 0) && (
        <p class="muted small">
          {count(codes - (grades[4] ?? 0), 'code')} below grade 4: the manifest in the ZIP file says which,
          and what to change.
        </p>
      )}
    </Card>
  );
};
