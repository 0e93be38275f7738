/** A field that reads a file of the user's machine. */
import { useId } from 'react';

interface FileFieldProps {
  readonly label: string;
  /** The attribute `accept` of HTML: `.csv,text/csv`. */
  readonly accept?: string;
  readonly onFile: (file: File) => void;
}

export function FileField({ label, accept, onFile }: FileFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        className="input"
        {...(accept !== undefined && { accept })}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
        }}
      />
    </div>
  );
}
