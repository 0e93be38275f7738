/** Written by `npm run docs` from the rows: what an editor shows of each operation of the web services. */
export interface DocumentedOperations {
  readonly otp: {
    /** Logs a user in with the password, the one-time password, or both in one text. */
    readonly simpleLogin: unknown;
    /** Logs a user in with a password and a one-time password, each in its own field. */
    readonly normalLogin: unknown;
    /** The same as otpNormalLogin, for older clients. */
    readonly login: unknown;
    /** Answers the challenge of a login with the second factor. */
    readonly challenge: unknown;
    /** Tells whose a certificate is that the calling system has checked, and whether that user may log in. */
    readonly pkiLogin: unknown;
    /** Tells how the service is. */
    readonly status: unknown;
  };
  readonly sshkey: {
    /** Lists the posix users or groups of a domain, active or not, for the name service of a system. */
    readonly nssList: unknown;
    /** Tells of one posix user or group, by `name` or by `id`; nothing where there is none. */
    readonly nssInfo: unknown;
    /** Tells with which key a user logs in at this moment, and the recovery keys, in the form of `authorized_keys`: what the `AuthorizedKeysCommand` of sshd asks. */
    readonly authorizedKeys: unknown;
    /** Tells the keys that administrators log in with where nothing else works: `ssh_recovery_keys`. */
    readonly recoveryKeys: unknown;
    /** Tells what a user may run by sudo, as sudoers has it, a command a line. */
    readonly sudoers: unknown;
    /** Begins a session of a user on a system, and counts it as a use of the key. `identity` is whose key it is, where `username` is another account of the system. */
    readonly sessionStart: unknown;
    /** Tells that a session goes on, or with `stop` that it ends. `logs` are lines of its audit log, which are kept in the event log where the settings of the user say so. */
    readonly sessionUpdate: unknown;
    /** Judges the password in a session, with a one-time password behind it where the settings of the user want one. */
    readonly sessionLogin: unknown;
    /** The same, for a session that is locked. */
    readonly sessionUnlock: unknown;
    /** Changes the password of the user of a session under the policy of the directory, where the settings of the user allow it. */
    readonly passwordChange: unknown;
    /** Tells how the service is. */
    readonly status: unknown;
  };
  readonly sms: {
    /** Sends an SMS to one or more numbers, for an account of the service. `type` is Normal or Flash: shown at once, and not kept by the phone. */
    readonly send: unknown;
    /** The same for a text that is of use for `timeout` seconds only: it is not tried any longer. Nothing waits for an answer of the person. */
    readonly sign: unknown;
    /** Tells how the service is. */
    readonly status: unknown;
  };
  readonly sso: {
    /** Begins a session of a user who has logged in, for the cookie of its browser; `data` is kept with it. No password is asked for: the calling system has to be one that may say who somebody is. */
    readonly start: unknown;
    /** Tells whether a session lives, and what is kept with it, which `data` replaces where it is given. It lives on from here, where the settings say so. */
    readonly check: unknown;
    /** Ends a session, on every node. */
    readonly stop: unknown;
    /** Tells how the service is. */
    readonly status: unknown;
  };
}
