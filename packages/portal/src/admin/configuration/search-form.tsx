/** The form above a list, for what is searched in it. */
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';

interface SearchFormProps {
  readonly onSearch: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

export function SearchForm({ onSearch, children }: SearchFormProps) {
  const t = useTexts(configurationTexts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch();
  };
  return (
    <search>
      <form className="stack" onSubmit={submit}>
        <div className="fields">{children}</div>
        <div className="form-actions">
          <Button type="submit" variant="primary" icon="search">
            {t('search')}
          </Button>
        </div>
      </form>
    </search>
  );
}
