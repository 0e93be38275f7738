/** The schema of SSH public keys in the configuration (`ssh_recovery_keys`), in OpenSSH format. */

import { weaklyCached } from '../../table/schema/zod.ts';

/** Returns whether a text is a public key line without options. */
function isSshKey(text: string): boolean {
  const [, type = '', base64 = ''] =
    /^(ssh-rsa|ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)) ([A-Za-z0-9+/]{60,4000}={0,2})(?: [^\p{Cc}]{0,200})?$/u.exec(
      text,
    ) ?? [];
  const blob = Buffer.from(base64, 'base64');
  return (
    type !== '' &&
    blob.readUInt32BE() === type.length &&
    blob.subarray(4, 4 + type.length).toString('latin1') === type
  );
}

export const sshKey = weaklyCached((z) =>
  z.string().refine(isSshKey, {
    error: 'is not a public key in OpenSSH format',
    params: { cure: 'copy the line of the .pub file that ssh-keygen writes' },
  }),
);
