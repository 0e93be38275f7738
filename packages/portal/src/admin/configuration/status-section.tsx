/** The state of the servers around this one, and of the services. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../kit/button.tsx';
import { Badge, Card, Facts } from '../../kit/show.tsx';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';
import { NodesCard } from './nodes-card.tsx';

const serverNames = {
  ldap: 'serverLdap',
  sql: 'serverSql',
  session: 'serverSession',
  pki: 'serverPki',
  push: 'serverPush',
  mail: 'serverMail',
} as const;

const isNamed = (name: string): name is keyof typeof serverNames => Object.hasOwn(serverNames, name);

/** Optional servers: the status does not show whether one is down or was never configured. */
const optional: readonly string[] = ['mail', 'push'];

/** The refresh interval in milliseconds. */
const often = 15_000;

export function StatusSection() {
  const { check } = useSession();
  return (
    <>
      <StatusCard />
      {check.may('List_Nodes') && <NodesCard />}
    </>
  );
}

function StatusCard() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const status = useQuery({
    queryKey: ['Server_Status'],
    queryFn: () => manager.Server_Status({ servers: true, webapps: true, websrvs: true }),
    refetchInterval: often,
  });
  return (
    <Card
      title={t('status')}
      actions={
        <Button size="small" isPending={status.isFetching} onPress={() => void status.refetch()}>
          {t('lookAgain')}
        </Button>
      }
    >
      <Read query={status}>
        {({ version, status: isUp, servers = {}, websrvs = {} }) => (
          <>
            <Facts
              facts={[
                [t('state'), <State key="state" value={isUp} />],
                [t('version'), version],
              ]}
            />
            <div className="stack-tight">
              <h3>{t('servers')}</h3>
              <Facts
                facts={Object.entries(servers).map(([name, value]) => [
                  isNamed(name) ? t(serverNames[name]) : name,
                  !isGood(value) && optional.includes(name) ? (
                    <Badge key={name}>{t('downOrNone')}</Badge>
                  ) : (
                    <State key={name} value={value} />
                  ),
                ])}
              />
            </div>
            <div className="stack-tight">
              <h3>{t('services')}</h3>
              <Facts
                facts={Object.entries(websrvs).map(([name, service]) => [
                  name,
                  service.enabled === 0 ? (
                    <Badge key={name}>{t('off')}</Badge>
                  ) : (
                    <State key={name} value={service.status} />
                  ),
                ])}
              />
            </div>
          </>
        )}
      </Read>
    </Card>
  );
}

/** Each dialect has its own word. */
const isGood = (value: number | boolean | string): boolean => [1, true, 'Ok'].includes(value);

function State({ value }: { readonly value: number | boolean | string }) {
  const t = useTexts(configurationTexts);
  return isGood(value) ? <Badge tone="good">{t('up')}</Badge> : <Badge tone="bad">{t('down')}</Badge>;
}
