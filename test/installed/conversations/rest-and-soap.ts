/** Logins over SOAP and the four forms of REST: each grants a code, and refuses it the second time and a wrong password. */
import { describe, expect, it } from 'vitest';
import type { Conversation, Person, Stand } from './stand.ts';

type Fields = Readonly<Record<string, string>>;

const forms: Readonly<Record<string, (fields: Fields, stand: Stand) => Promise<string>>> = {
  'a GET with the operation in the path': (fields, stand) =>
    text(stand, `otp/json/otpNormalLogin/?${new URLSearchParams(fields)}`),
  'a GET with the operation in the query': (fields, stand) =>
    text(stand, `otp/json/?${new URLSearchParams({ method: 'otpNormalLogin', ...fields })}`),
  'a POST of a form': (fields, stand) =>
    text(stand, 'otp/json/otpNormalLogin', { body: new URLSearchParams(fields) }),
  'a POST of JSON': (fields, stand) =>
    text(stand, 'otp/json/otpNormalLogin/', {
      ...{ body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } },
    }),
  SOAP: (fields, stand) =>
    text(stand, 'otp/', { body: envelope(fields), headers: { 'content-type': 'text/xml' } }),
};

async function text(stand: Stand, path: string, request?: object): Promise<string> {
  const method = request ? 'POST' : 'GET';
  return (await stand.send(`${stand.addresses.ws}${path}`, { method, ...request })).text();
}

function envelope(fields: Fields): string {
  const parts = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><o:otpNormalLogin xmlns:o="urn:otp">${parts.join('')}</o:otpNormalLogin></e:Body></e:Envelope>`;
}

const codeIn = (answer: string): string | undefined =>
  /<code>(\d)<\/code>/.exec(answer)?.[1] ?? /"code":(\d)/.exec(answer)?.[1];

export const restAndSoap: Conversation = {
  about: ['Otp'],
  tests: (stand) => {
    it('takes the domain in the name and fields by position, and a code once whatever the spelling', async () => {
      const person = await stand().person('spelled');
      const { password: ldapPassword } = person;
      const right = { ldapPassword, otpPassword: person.nextCode() };
      const ask = async (fields: Fields) => codeIn((await forms.SOAP?.(fields, stand())) ?? '');
      expect(await ask({ ...right, username: 'spelled@elsewhere' })).toBe('0');
      expect(await ask({ ...right, username: 'spelled@default' })).toBe('1');
      expect(await ask({ ...right, username: 'DEFAULT\\spelled' })).toBe('0');
      const byPlace = { param0: 'Default\\spelled', param2: ldapPassword, param3: person.nextCode() };
      expect(await ask(byPlace)).toBe('1');
      expect(await ask(byPlace)).toBe('0');
    });

    describe.each(Object.entries(forms))('%s', (form, ask) => {
      it('grants a login, and refuses the same code again and a wrong password', async () => {
        const number = Object.keys(forms).indexOf(form);
        const person: Person = await stand().person(`form${number}`);
        const { username, password: ldapPassword } = person;
        const right = { username, ldapPassword, otpPassword: person.nextCode() };
        expect(codeIn(await ask({ username, ldapPassword }, stand()))).toBe('2');
        expect(codeIn(await ask(right, stand()))).toBe('1');
        expect(codeIn(await ask(right, stand()))).toBe('0');
        const wrong = { username, ldapPassword: 'wrong', otpPassword: person.nextCode() };
        expect(codeIn(await ask(wrong, stand()))).toBe('0');
      });
    });
  },
};
