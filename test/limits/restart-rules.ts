/** Of the service in cases-restart.test.ts: the limits are as they are by default. */
export const rules = {
  limits: { login_failure_delay_ms: 0 },
  settings: { 'Otp.LoginMode': 'LDAP' },
};
