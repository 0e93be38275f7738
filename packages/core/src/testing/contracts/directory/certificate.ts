/** A certificate in DER: directories check the structure of `userCertificate` values. Its key is thrown away. */
export const certificate: Uint8Array = Buffer.from(
  'MIIBejCCAR+gAwIBAgIUBF2R6N1wgeNSdqqcWLd2J6BQHFcwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGaG9sZGVyMCAXDTI2MTEy' +
    'MDE2MDI0NVoYDzIxMjYxMDI3MTYwMjQ1WjARMQ8wDQYDVQQDDAZob2xkZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQTY2kN' +
    'IJ48hFvBx9S81Is12tcXAWJyG2+bNy1zhdEh/y+XScIOFDD3QQYwW4lXdY6x27UWsptDPLmNdObDAtINo1MwUTAdBgNVHQ4EFgQU' +
    'GKevvnY2by7ePYb2iMDTgr9ofmIwHwYDVR0jBBgwFoAUGKevvnY2by7ePYb2iMDTgr9ofmIwDwYDVR0TAQH/BAUwAwEB/zAKBggq' +
    'hkjOPQQDAgNJADBGAiEArbwiVbIHjeQnpfr7RJYBTcgWlOZiBSBzAfFEo1Drd+wCIQDaU13kHKk/ErZ2lk61wzwzjosSmtjo5fXM' +
    'PvZ7K/PgUQ==',
  'base64',
);
