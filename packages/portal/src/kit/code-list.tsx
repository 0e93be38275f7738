/** One-time codes, numbered, as they are read and printed. */
interface CodeListProps {
  readonly codes: readonly string[];
  /** Prints the list alone. Optional; default: an element around it is printed. */
  readonly isPrinted?: boolean;
}

export function CodeList({ codes, isPrinted = false }: CodeListProps) {
  return (
    <ol className={isPrinted ? 'codes printed' : 'codes'}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ol>
  );
}
