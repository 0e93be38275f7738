/** The source of a bulk action: found users, pasted names, or a table whose columns are assigned. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Select, Field as TextField } from '../../kit/field.tsx';
import { FileField } from '../../kit/file-field.tsx';
import { Card } from '../../kit/show.tsx';
import { manyTexts } from '../../texts/many/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type ActName, actOf, type Values } from './acts.ts';
import { guessColumns, type Mapping, mapRows } from './columns.ts';
import { parseCsv } from './csv.ts';
import { FindPeople } from './find/find-people.tsx';

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
  const [typed, setTyped] = useState('');
  const [isFinding, setFinding] = useState(false);
  const take = (text: string) => {
    setTyped(text);
    const users = text.split('\n').map((line) => line.trim());
    onRows(users.filter((user) => user !== '').map((user): Values => ({ user })));
  };
  const add = (dns: readonly string[]) => {
    const lines = typed.split('\n').filter((line) => line.trim() !== '');
    take([...lines, ...dns.filter((dn) => !lines.includes(dn))].join('\n'));
    setFinding(false);
  };
  return (
    <>
      <div className="row">
        <Button icon="search" onPress={() => setFinding(true)}>
          {t('find')}
        </Button>
        <span className="soft">{t('findHint')}</span>
      </div>
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
      {isFinding && <FindPeople onTake={add} onClose={() => setFinding(false)} />}
    </>
  );
}
