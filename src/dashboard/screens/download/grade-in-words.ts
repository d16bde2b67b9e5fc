const PARAMETERS: Readonly<Record<string, string>> = {
  'small-modules': 'small modules',
  'red-light': 'red light',
  'logo-damage': 'error correction',
  'fixed-patterns': 'guide marks',
  'finder-centre': 'corner centres',
  'finder-ring': 'corner rings',
  'quiet-zone': 'quiet zone',
};

/** Returns the grade of a file and why it is below 4, from the headers of its answer. '' without a grade. */
export const gradeInWords = (headers: { get(name: string): string | null }, isInMm = false): string => {
  const grade = headers.get('tessera-grade');
  if (grade === null) return '';
  const warnings = (headers.get('tessera-warnings') ?? '').split(', ').filter((item) => item !== '');
  const words = warnings.map((item) => {
    const [name = '', value] = item.split(';v=');
    const unit = name === 'small-modules' ? (isInMm ? ' mm' : ' px') : '';
    return `${PARAMETERS[name] ?? name}${value === undefined ? '' : ` (${value}${unit})`}`;
  });
  return `Grade ${grade}${words.length === 0 ? '.' : `: ${words.join(', ')}.`}`;
};
