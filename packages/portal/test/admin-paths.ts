/** The pages of the Admin Portal, below its address; of those that are about something, one. */
export const adminPaths: readonly string[] = [
  'people',
  'directory',
  'many',
  ...[
    'status',
    'events',
    'settings',
    'roles',
    'option-sets',
    'clients',
    'api-keys',
    'domains',
    'services',
    'certificates',
    'licence',
    'sessions',
  ].map((section) => `configuration/${section}`),
  'explorer/Otp.TOTP_Register',
];
