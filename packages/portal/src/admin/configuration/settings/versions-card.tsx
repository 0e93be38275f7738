/** The versions of the settings at run time: who has changed what, and the way back. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../kit/button.tsx';
import { Card, Empty } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';

/** Versions in sight; the method answers a hundred. */
const most = 10;

export function VersionsCard() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const versions = useQuery({ queryKey: ['Config_History'], queryFn: () => manager.Config_History({}) });
  const restore = useAction({
    run: (version: number) => manager.Restore_Config({ version }),
    done: (version) => t('versionRestored', { version }),
    changes: [['List_Config'], ['Get_Config'], ['Config_History'], ['Get_Config_Objects']],
  });
  return (
    <Card title={t('versions')}>
      <Read query={versions}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{t('noVersions')}</Empty>
          ) : (
            <ul className="stack-tight">
              {all.slice(0, most).map(({ version, time, author, comment, changed }, index) => (
                <li key={version} className="row-apart">
                  <span>
                    {version} · {time} · {author}
                    {comment !== '' && ` · ${comment}`}
                    <br />
                    <code>{changed.join(', ')}</code>
                  </span>
                  {index > 0 && (
                    <Button
                      size="small"
                      aria-label={t('restoreVersion', { version })}
                      isPending={restore.isPending}
                      onPress={() => restore.mutate(version)}
                    >
                      {t('restore')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </Card>
  );
}
