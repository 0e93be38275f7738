/** The field of a parameter, by the kind of its values. */
import { Field, Select } from '../../kit/field.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Parameter } from './open-rpc.ts';
import { choicesOf, kindOf, type Problem } from './typed-values.ts';

interface ParameterFieldProps {
  readonly param: Parameter;
  readonly value: string;
  readonly problem: Problem | undefined;
  readonly onChange: (text: string) => void;
}

const problemTexts = { missing: 'missing', 'no number': 'noNumber', 'no JSON': 'noJson' } as const;

export function ParameterField({ param, value, problem, onChange }: ParameterFieldProps) {
  const t = useTexts(explorerTexts);
  const { name, required, schema } = param;
  const kind = kindOf(param);
  if (kind === 'flag' || kind === 'choice') {
    const words =
      kind === 'flag'
        ? [
            { id: 'true', name: t('yes') },
            { id: 'false', name: t('no') },
          ]
        : choicesOf(param).map((word) => ({ id: word, name: word }));
    return (
      <Select
        label={name}
        choices={[{ id: '', name: t('notGiven') }, ...words]}
        value={value}
        onChange={onChange}
      />
    );
  }
  const hints = { lines: t('lines'), json: t('json') } as const;
  const hint = kind === 'lines' || kind === 'json' ? `, ${hints[kind]}` : '';
  return (
    <Field
      label={name}
      description={`${schema.title ?? ''}${hint}`}
      value={value}
      onChange={onChange}
      isRequired={required}
      multiline={kind === 'lines' || kind === 'json' || kind === 'long text'}
      rows={Math.min(16, value.split('\n').length + 1)}
      mono={kind === 'json' || kind === 'long text'}
      inputMode={kind === 'number' ? 'numeric' : 'text'}
      autoComplete="off"
      spellCheck="false"
      error={problem && t(problemTexts[problem])}
    />
  );
}
