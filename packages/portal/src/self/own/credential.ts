/** A new security key or passkey, asked for as the server wants it (WebAuthn Level 2 §5.1.3). */
import { fromBase64, toBase64Url } from '../../api/base64.ts';

interface WrittenOptions {
  readonly challenge: string;
  readonly rp: PublicKeyCredentialRpEntity;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: PublicKeyCredentialParameters[];
  readonly excludeCredentials?: readonly {
    readonly id: string;
    readonly transports?: AuthenticatorTransport[];
  }[];
}

export const canAsk = (): boolean => 'PublicKeyCredential' in window;

/**
 * @param options PublicKeyCredentialCreationOptionsJSON as text
 * @returns RegistrationResponseJSON as text
 * @throws DOMException where the user lets it pass, or the key is registered already (`InvalidStateError`)
 */
export async function createCredential(options: string): Promise<string> {
  const made = await navigator.credentials.create({ publicKey: readOptions(options) });
  if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse))
    throw new Error('no credential');
  const { attestationObject, clientDataJSON } = made.response;
  return JSON.stringify({
    id: made.id,
    rawId: made.id,
    type: made.type,
    response: {
      attestationObject: toBase64Url(new Uint8Array(attestationObject)),
      clientDataJSON: toBase64Url(new Uint8Array(clientDataJSON)),
      transports: made.response.getTransports(),
    },
    clientExtensionResults: made.getClientExtensionResults(),
  });
}

function readOptions(text: string): PublicKeyCredentialCreationOptions {
  const { challenge, user, excludeCredentials = [], ...rest }: WrittenOptions = JSON.parse(text);
  return {
    ...rest,
    challenge: fromBase64(challenge),
    user: { ...user, id: fromBase64(user.id) },
    excludeCredentials: excludeCredentials.map(({ id, transports }) => ({
      type: 'public-key',
      id: fromBase64(id),
      ...(transports && { transports }),
    })),
  };
}
