/** One-time codes, numbered, as they are read and printed. */
interface CodeListProps {
  readonly codes: readonly string[];
  /** Goes on paper by itself; left out: something around it does. */
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
