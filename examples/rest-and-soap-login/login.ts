/**
 * Logs users in from another system: with the password, and with a code where the service asks for one. The
 * conversation is the same over REST, which needs no more than fetch, and over SOAP, which strong-soap learns from
 * the WSDL.
 */
import { promisify } from 'node:util';
import { soap } from 'strong-soap';

/** What every login answers. */
export interface Answer {
  /** 1 success, 2 a code is wanted, 0 failure. */
  readonly code: number;
  /** For the user to read. */
  readonly message: string;
  /** Of the challenge, where a code is wanted. */
  readonly session?: string;
}

/** Has the service do one operation. */
export type Send = (operation: string, fields: Readonly<Record<string, string>>) => Promise<Answer>;

/** @param askCode shows the user a message, and gets the code that the user types */
export async function logIn(
  send: Send,
  { username, password }: { readonly username: string; readonly password: string },
  askCode: (message: string) => Promise<string>,
): Promise<boolean> {
  const answer = await send('otpNormalLogin', { username, ldapPassword: password });
  if (answer.code !== 2) return answer.code === 1;
  const otpPassword = await askCode(answer.message);
  const { code } = await send('otpChallenge', { username, session: answer.session ?? '', otpPassword });
  return code === 1;
}

/** As much of fetch as is needed: the global one, or one that trusts another authority. */
type Fetch = (
  url: string,
  request: { readonly method: 'POST'; readonly headers: Record<string, string>; readonly body: string },
) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>;

/** @param url where the web services are, with a slash at the end */
export function overRest(url: string, fetch: Fetch = globalThis.fetch): Send {
  const headers = { 'content-type': 'application/json' };
  return async (operation, fields) => {
    const request = { method: 'POST', headers, body: JSON.stringify(fields) } as const;
    const response = await fetch(`${url}otp/json/${operation}/`, request);
    // A login that fails is an answer with status 200; anything else is no answer of the operation.
    if (!response.ok) throw new Error(`The web services answer HTTP ${response.status}`);
    return (await response.json()) as Answer;
  };
}

/**
 * strong-soap trims every text, so who has a password with a space at an end cannot log in over it; and it gives
 * numbers as the texts that they are in XML.
 * @param url where the web services are, with a slash at the end
 * @param ca authorities to trust, PEM; left out: those that come with Node
 */
export async function overSoap(url: string, ca?: string): Promise<Send> {
  const options = { wsdl_options: { ca } };
  const client = await promisify(soap.createClient)(`${url}otp?wsdl`, options);
  return async (operation, fields) => {
    const call = client[operation];
    if (!call) throw new Error(`The WSDL has no operation ${operation}`);
    const { code, message = '', session } = await promisify(call)(fields, { ca });
    return { code: Number(code), message, ...(session !== undefined && { session }) };
  };
}
