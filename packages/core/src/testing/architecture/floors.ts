/**
 * The floors of the core, the highest first, as `docs/architecture.md` has them. An arrow goes down, or stays within its module:
 * types included. Who stands on the same floor knows nothing of the other.
 */
export const floors: readonly (readonly string[])[] = [
  ['start', 'index'],
  ['health', 'authoring', 'describe'],
  ['service'],
  ['manager', 'web'],
  ['applications'],
  ['otp', 'sms', 'sshkey', 'sso'],
  ['login'],
  ['authenticators'],
  ['calls'],
  ['status'],
  ['policy'],
  ['pki'],
  ['engines'],
  ['access', 'license', 'mark', 'rekey', 'qr', 'utility'],
  [
    'adapters/embedded',
    'adapters/gateway',
    'adapters/http',
    'adapters/ldap',
    'adapters/pki',
    'adapters/postgres',
    'adapters/prometheus',
    'adapters/smtp',
  ],
  ['adapters/system'],
  ['directory', 'sending'],
  ['events'],
  ['config', 'limits'],
  ['table'],
  ['concurrency', 'http', 'oath', 'version'],
  ['ports'],
  ['text'],
  ['errors'],
];
