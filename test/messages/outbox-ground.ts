/** For crash.test.ts and its child: a service with an SMS gateway in a data folder, opened as the bundled servers open it. */
import { createService, Dn, type ManagerCalls, readConfig, serviceSettings } from '@watchword/core';
import { openEngines } from '@watchword/engines';

const base = 'dc=example,dc=org';
const admin = { username: `uid=admin,${base}`, password: 'Adm1n-of-all' };
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

export interface OutboxGround {
  readonly manager: ManagerCalls;
  close(): Promise<void>;
}

/** @param gateway where it is asked */
export async function openOutbox(data: string, gateway: string): Promise<OutboxGround> {
  const config = readConfig({
    data,
    directory: { type: 'embedded', base },
    domains: { Default: { base } },
    manager_auth: 'DN',
    super_admins: [admin.username],
    messages: { deadline_s: 5 },
    sms: {
      ...{ type: 'http', url: gateway, allow_plain: true, id_header: 'Idempotency-Key' },
      json: { to: '{to}', text: '{text}' },
    },
  });
  const engines = await openEngines(config, quiet, { older: true });
  const { service: directory } = engines.directory;
  const dn = Dn.parse(admin.username);
  if (!(await directory.read(dn, ['1.1']))) {
    const attributes = { objectclass: ['inetOrgPerson'], cn: ['Admin'], sn: ['Admin'] };
    await directory.add(dn, new Map(Object.entries({ ...attributes, userpassword: [admin.password] })));
  }
  const service = createService(serviceSettings(config), engines);
  const { manager, close } = await service.manager.login(admin);
  return {
    manager,
    close: async () => {
      await close();
      await service.close();
      await engines.close();
    },
  };
}
