/** The preparation of a bulk action: lines that are pasted, or from a file or a group, with the errors of each. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Select, Field as TextField } from '../../kit/field.tsx';
import { Card } from '../../kit/show.tsx';
import { useSession } from '../../shell/session.tsx';
import { manyTexts } from '../../texts/many/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type ActName, actNames, actOf, isOffered, type Values } from './acts.ts';
import { type Job, problemsOf, waiting } from './job.ts';
import { Preview } from './preview.tsx';
import { Source } from './source.tsx';

export function Preparation({ onStart }: { readonly onStart: (job: Job) => void }) {
  const t = useTexts(manyTexts);
  const { rights } = useSession();
  const names = actNames.filter((name) => isOffered(name, rights));
  const [chosen, setChosen] = useState<ActName>();
  const [common, setCommon] = useState('');
  const [rows, setRows] = useState<readonly Values[]>([]);
  const [isAsking, setAsking] = useState(false);
  const act = chosen ?? names[0];
  if (act === undefined) return null;
  const problems = problemsOf(act, rows);
  const good = rows.filter((_, index) => problems[index] === undefined);
  const { common: needed, isGrave } = actOf(act);
  const isReady = good.length > 0 && (needed === undefined || common.trim() !== '');
  const start = () => onStart({ act, common: common.trim(), lines: good.map(waiting) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (isGrave) setAsking(true);
    else start();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Card title={t('what')}>
        <div className="fields">
          <Select
            label={t('act')}
            value={act}
            onChange={(id) => setChosen(names.find((name) => name === id))}
            choices={names.map((id) => ({ id, name: t(id) }))}
          />
          {needed && (
            <TextField label={t(needed)} value={common} onChange={setCommon} isRequired spellCheck="false" />
          )}
        </div>
      </Card>
      <Source key={act} act={act} onRows={setRows} />
      {rows.length > 0 && <Preview act={act} rows={rows} problems={problems} />}
      <div className="form-actions">
        <Button type="submit" variant="primary" isDisabled={!isReady}>
          {t('start', { count: good.length })}
        </Button>
      </div>
      <Confirm
        title={t('confirm', { act: t(act), count: good.length })}
        lost={[t(act === 'deactivate' ? 'lostAccess' : 'lostPassword', { count: good.length })]}
        act={t(act)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={start}
      />
    </form>
  );
}
