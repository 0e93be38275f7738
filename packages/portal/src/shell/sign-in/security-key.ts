/** The answer of a security key to the challenge of a login, as the web services take it (WebAuthn Level 2 §5.1.4). */
import { fromBase64, toBase64 } from '../../api/base64.ts';

/** The challenge of a login (`u2fChallenge`): all fields but `rpId` are base64. */
interface WrittenChallenge {
  readonly challenge: string;
  readonly rpId: string;
  readonly credentialIds: readonly string[];
}

/** @throws where the key does not answer, or there is none */
export async function askSecurityKey(written: string): Promise<string> {
  const { challenge, rpId, credentialIds }: WrittenChallenge = JSON.parse(written);
  const allowCredentials = credentialIds.map((id) => ({ type: 'public-key', id: fromBase64(id) }) as const);
  const credential = await navigator.credentials.get({
    publicKey: { challenge: fromBase64(challenge), rpId, allowCredentials },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('no key');
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error('no signature');
  return JSON.stringify({
    authenticatorData: textOf(response.authenticatorData),
    clientDataJSON: textOf(response.clientDataJSON),
    signature: textOf(response.signature),
    userHandle: textOf(response.userHandle ?? new ArrayBuffer(0)),
  });
}

const textOf = (buffer: ArrayBuffer): string => toBase64(new Uint8Array(buffer));
