/** Where the lines come from: names that are pasted, the members of a group, or a table whose columns are told what they are. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Select, Field as TextField } from '../../kit/field.tsx';
import { FileField } from '../../kit/file-field.tsx';
import { Card } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { manyTexts } from '../../texts/many/index.ts';
import { useTexts } from '../../texts/text.ts';
import { valuesOf } from '../directory/attributes.ts';
import { type ActName, actOf, type Values } from './acts.ts';
import { guessColumns, type Mapping, mapRows } from './columns.ts';
import { parseCsv } from './csv.ts';

interface SourceProps {
  readonly act: ActName;
  readonly onRows: (rows: readonly Values[]) => void;
}

export function Source({ act, onRows }: SourceProps) {
  const t = useTexts(manyTexts);
  const [table, setTable] = useState<readonly (readonly string[])[]>();
  const [mapping, setMapping] = useState<Mapping>({});
  const { needs, may } = actOf(act);
  const wanted = [...needs, ...may];
  const [head = [], ...body] = table ?? [];
  const map = (next: Mapping, rows = body) => {
    setMapping(next);
    onRows(mapRows(rows, next));
  };
  const read = async (file: File) => {
    const rows = parseCsv(await file.text());
    setTable(rows);
    map(guessColumns(rows[0] ?? [], wanted), rows.slice(1));
  };
  return (
    <Card title={t('who')}>
      <FileField label={t('file')} accept=".csv,text/csv,text/plain" onFile={(file) => void read(file)} />
      {table ? (
        <div className="fields">
          {wanted.map((field) => (
            <Select
              key={field}
              label={t('columnFor', { field: t(field) })}
              value={String(mapping[field] ?? '')}
              onChange={(id) => map({ ...mapping, [field]: id === '' ? undefined : Number(id) })}
              choices={[
                { id: '', name: t('noColumn') },
                ...head.map((name, index) => ({ id: String(index), name: name || `${index + 1}` })),
              ]}
            />
          ))}
        </div>
      ) : (
        wanted.length === 1 && <Names onRows={onRows} />
      )}
    </Card>
  );
}

function Names({ onRows }: Pick<SourceProps, 'onRows'>) {
  const t = useTexts(manyTexts);
  const { manager } = useSession();
  const [typed, setTyped] = useState('');
  const [group, setGroup] = useState('');
  const take = (text: string) => {
    setTyped(text);
    const users = text.split('\n').map((line) => line.trim());
    onRows(users.filter((user) => user !== '').map((user): Values => ({ user })));
  };
  const add = useAction({
    run: async () => {
      const attributes = await manager.Get_User_Attrs({ dn: group.trim() });
      return ['member', 'uniqueMember'].flatMap((name) => valuesOf(attributes, name));
    },
    done: (_, members) => t('membersTaken', { count: members.length }),
    changes: [],
    after: (members) => take([...typed.split('\n'), ...members].filter((line) => line !== '').join('\n')),
  });
  return (
    <>
      <TextField
        label={t('paste')}
        description={t('pasteHint')}
        value={typed}
        onChange={take}
        multiline
        rows={6}
        spellCheck="false"
        autoFocus
      />
      <div className="fields fields-end">
        <TextField label={t('ofGroup')} value={group} onChange={setGroup} spellCheck="false" />
        <div>
          <Button isDisabled={group.trim() === ''} isPending={add.isPending} onPress={() => add.mutate()}>
            {t('takeMembers')}
          </Button>
        </div>
      </div>
    </>
  );
}
