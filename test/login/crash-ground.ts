/** For crash.test.ts and its child: a service in a data folder, opened as the bundled servers open it. */
import { createService, readConfig, type Service, serviceSettings } from '@watchword/core';
import { openEngines } from '@watchword/engines';
import { codeAt, secretOf } from './people.ts';

export const base = 'dc=example,dc=org';
export const admin = { username: `uid=admin,${base}`, password: 'Adm1n-of-all' };

interface Rules {
  readonly limits: object;
  readonly settings: object;
}

export interface OpenGround {
  readonly service: Service;
  readonly engines: Awaited<ReturnType<typeof openEngines>>;
  close(): Promise<void>;
}

/** No limit in the way: what is looked at is what is used up. */
const withoutLimits = {
  limits: { login_failure_delay_ms: 0 },
  // A step of two seconds and a wide window: many TOTP codes to use up in a short time.
  settings: {
    'Otp.LoginMode': 'OTP',
    'Otp.MaxTries': '1000000',
    'Otp.TOTPTimeStep': '2',
    'Otp.TOTPTimeOffsetWindow': '2000',
    // Of six digits, one of the codes in so wide a window is the same as one that was used, in every thirtieth run.
    'Otp.OTPLength': '10',
  },
};

export async function openGround(data: string, rules: Rules = withoutLimits): Promise<OpenGround> {
  const config = readConfig({
    data,
    directory: { type: 'embedded', base },
    domains: { Default: { base } },
    manager_auth: 'DN',
    super_admins: [admin.username],
    ...rules,
  });
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  // Each child works on a copy of what was prepared: as if it were the folder itself.
  const engines = await openEngines(config, quiet, { older: true });
  const service = createService(serviceSettings(config), engines);
  return {
    ...{ service, engines },
    close: async () => {
      await service.close();
      await engines.close();
    },
  };
}

export const codeOf = ({ username, counter }: CrashReport): string => codeAt(counter, secretOf(username), 10);

/** Who logs in, beginning with which counter or time step. */
export interface Runner {
  readonly username: string;
  readonly type: 'HOTP' | 'TOTP';
  readonly first: number;
}

/** What the child tells of a login: which counter or time step was granted. */
export interface CrashReport {
  readonly username: string;
  readonly counter: number;
}
