/** The answer of a security key, as the servers take it (FIDO2; WebAuthn §6.1 of the W3C's). */

/** @param options PublicKeyCredentialRequestOptionsJSON as text  @throws where the key does not answer, or there is none */
export async function askSecurityKey(options: string): Promise<string> {
  const credential = await navigator.credentials.get({ publicKey: readOptions(options) });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('no key');
  return JSON.stringify(written(credential));
}

interface WrittenOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly timeout?: number;
  readonly userVerification?: UserVerificationRequirement;
  readonly allowCredentials?: readonly {
    readonly id: string;
    readonly transports?: AuthenticatorTransport[];
  }[];
}

function readOptions(text: string): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials = [], ...rest }: WrittenOptions = JSON.parse(text);
  return {
    ...rest,
    challenge: fromBase64Url(challenge),
    allowCredentials: allowCredentials.map(({ id, transports }) => ({
      type: 'public-key',
      id: fromBase64Url(id),
      ...(transports && { transports }),
    })),
  };
}

function written(credential: PublicKeyCredential): object {
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error('no signature');
  return {
    id: credential.id,
    rawId: credential.id,
    type: credential.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
      ...(response.userHandle && { userHandle: toBase64Url(response.userHandle) }),
    },
  };
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function toBase64Url(bytes: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
