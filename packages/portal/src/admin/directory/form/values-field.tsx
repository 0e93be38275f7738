/** The values of an attribute: a line for each, one field where there can be only one, a file where they are bytes. */
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { FileField } from '../../../kit/file-field.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';
import type { AttributeFacts } from './schema.ts';

interface ValuesFieldProps {
  readonly name: string;
  readonly facts: AttributeFacts | undefined;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
}

export function ValuesField({ name, facts, values, onChange, ...more }: ValuesFieldProps) {
  const t = useTexts(directoryTexts);
  if (facts?.binary) return <BytesField {...{ name, values, onChange }} />;
  const isSingle = facts?.single === true;
  // A value that has lines itself cannot be one of several lines.
  const isOne = isSingle || values.some((value) => value.includes('\n'));
  const read = (text: string) => {
    if (text === '') return [];
    return isOne ? [text] : text.split('\n');
  };
  return (
    <Field
      {...more}
      label={name}
      description={[facts?.description, isOne ? '' : t('lineEach')].filter(Boolean).join('. ')}
      value={values.join('\n')}
      onChange={(text) => onChange(read(text))}
      multiline={!isSingle}
      rows={Math.min(8, values.length + 1)}
      spellCheck="false"
      autoComplete="off"
    />
  );
}

function BytesField({ name, values, onChange }: Pick<ValuesFieldProps, 'name' | 'values' | 'onChange'>) {
  const t = useTexts(directoryTexts);
  const bytes = values.reduce((sum, value) => sum + Math.floor((value.length * 3) / 4), 0);
  return (
    <div className="field">
      <FileField label={name} onFile={async (file) => onChange([await base64Of(file)])} />
      <div className="row">
        <span className="soft small">{t('bytes', { count: values.length, bytes })}</span>
        {values.length > 0 && (
          <Button size="small" variant="quiet" onPress={() => onChange([])}>
            {t('removeValue')}
          </Button>
        )}
      </div>
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
