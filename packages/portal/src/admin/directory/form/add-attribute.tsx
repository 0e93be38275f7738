/** One more attribute, of those that the classes of an entry allow. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Select } from '../../../kit/field.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';

interface AddAttributeProps {
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

export function AddAttribute({ names, onAdd }: AddAttributeProps) {
  const t = useTexts(directoryTexts);
  const [chosen, setChosen] = useState('');
  const name = names.includes(chosen) ? chosen : names[0];
  if (name === undefined) return null;
  return (
    <div className="fields fields-end">
      <Select
        label={t('addAttribute')}
        value={name}
        onChange={setChosen}
        choices={names.map((id) => ({ id, name: id }))}
      />
      <div>
        <Button icon="plus" onPress={() => onAdd(name)}>
          {t('add')}
        </Button>
      </div>
    </div>
  );
}
