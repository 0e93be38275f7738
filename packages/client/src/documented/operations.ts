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
    /** Asks a user to confirm something on the phone, by push. The answer waits for the user, or with `async` tells the session to ask for it by. A file comes back signed once it is confirmed: a PDF as PDF, others as CMS. */
    readonly normalConfirm: unknown;
    /** The same with a QR code that the user scans; its URI is the message. */
    readonly confirmQRCode: unknown;
    /** The same as otpConfirmQRCode, for older clients. The phone may be without a network: it shows eight digits, which otpOfflineConfirm takes. */
    readonly offlineQRCode: unknown;
    /** Tells whether the user has confirmed: code 1 yes, 0 no, 2 not yet. */
    readonly checkConfirm: unknown;
    /** Takes back what a user was asked to confirm, and has not answered. */
    readonly cancelConfirm: unknown;
    /** Sends the push message once more (`sendPush`), and shows the QR code. */
    readonly touchConfirm: unknown;
    /** Confirms with the eight digits that a phone without a network shows. Five wrong ones end the session. */
    readonly offlineConfirm: unknown;
    /** Asks a user to sign a file on the phone, by push; a PDF comes back as PDF (PAdES), others as CMS (CAdES), with the certificate that it is signed with. `mode` is auto, CADES or PADES; `settings` may say `CaDESMode=Detached`. */
    readonly normalSign: unknown;
    /** The same with a QR code that the user scans; its URI is the message. */
    readonly signQRCode: unknown;
    /** Tells whether the user has signed: code 1 yes, 0 no, 2 not yet. */
    readonly checkSign: unknown;
    /** Takes back what a user was asked to sign, and has not answered. */
    readonly cancelSign: unknown;
    /** Sends the push message once more (`sendPush`), and shows the QR code. */
    readonly touchSign: unknown;
    /** Seals a file in the name of the installation, without a user; a PDF comes back as PDF, others as CMS. */
    readonly seal: unknown;
    /** Lists the calling system’s transactions with their states, the newest first: `jsonData` is an array of JSON. */
    readonly list: unknown;
    /** The same of logins by QR code, for older clients. */
    readonly listLogin: unknown;
    /** The same of confirmations and signatures, for older clients. */
    readonly listConfirm: unknown;
    /** Asks a user on the phone, by push, to badge in, or out; the answer waits for the user. `location` is what the phone says, `source` its IP address, `address` the name of the office; `country` stays empty. */
    readonly startBadging: unknown;
    /** Tells whether a user is badged in and where, with `office` whether in an office. */
    readonly checkBadging: unknown;
    /** Asks a person outside of the directory to confirm a file, by a link in a mail that is good once. The answer waits two minutes at most, or with `async` tells the session that otpCheckConfirm takes. */
    readonly externConfirm: unknown;
    /** The same for a signature, which comes back from otpCheckSign: a PDF as PDF, other files as CMS, in the name of the mail address. */
    readonly externSign: unknown;
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
    /** Tells what a user may run by sudo, as sudoers has it, a command a line, and in `sudoAdvanced` the lines that the settings of the user have. */
    readonly sudoers: unknown;
    /** Begins a session of a user on a system, and counts it as a use of the key. `identity` is whose key it is, where `username` is another account of the system. */
    readonly sessionStart: unknown;
    /** Tells that a session goes on, or with `stop` that it ends. `logs` are lines of its audit log, which are kept in the event log, and `data` is what was shown, which is recorded, where the settings of the user say so. */
    readonly sessionUpdate: unknown;
    /** Judges the password in a session, with a one-time password after it where the settings of the user want one. */
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
  readonly qrauth: {
    /** Begins a login (`operation` auth), a signature (sign) over `inputData` or `inputText`, or the decryption of `inputData` (decrypt), by scanning a QR code; the phone shows `inputText`. */
    readonly start: unknown;
    /** Tells whether somebody has logged in by the QR code: code 1, once; 0 refused; 2 not yet. Where the login mode wants the password too, it comes with this. */
    readonly check: unknown;
    /** The same with the eight digits that a phone without a network shows. Five wrong ones end the session. */
    readonly offlineCheck: unknown;
    /** Ends a session that nobody has answered. */
    readonly cancel: unknown;
    /** Draws the QR code of a session that waits, again. */
    readonly sessionQR: unknown;
    /** Encrypts `inputData` or `inputText` so that the phone of the user has to open it: `data` is what `qrauthStart` takes with the operation decrypt. */
    readonly encrypt: unknown;
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
