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
  readonly sms: {
    /** Sends an SMS to one or more numbers, for an account of the service. `type` is Normal or Flash: shown at once, and not kept by the phone. */
    readonly send: unknown;
    /** The same for a text that is of use for `timeout` seconds only: it is not tried any longer. Nothing waits for an answer of the person. */
    readonly sign: unknown;
    /** Tells how the service is. */
    readonly status: unknown;
  };
}
