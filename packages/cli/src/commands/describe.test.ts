/** The descriptions of an interface as files, as somebody who writes a client has them. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-describe-'));
  const base = 'dc=example,dc=com';
  const text = `directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
manager_url: https://admin.example.com
names: {Otp: ExampleOTP, otp: exampleotp}
`;
  await writeFile(join(folder, 'watchword.yaml'), text);
});
afterEach(() => rm(folder, { recursive: true }));

const describeInto = (place: string) =>
  runCommandLine(['describe', place, '--config', join(folder, 'watchword.yaml')]);

it('writes them all, in the words of the installation, and opens nothing', async () => {
  const place = join(folder, 'api');
  const result = await describeInto(place);
  expect(result).toMatchObject({ code: 0, printed: `19 descriptions are in ${place}.` });
  const files = (await readdir(place, { recursive: true })).sort();
  const described = [
    ...['ExampleOTP', 'HelpDesk', 'OpenID', 'PwReset', 'QrAuth', 'SelfDesk', 'SelfReg'],
    ...['Sms', 'SshKey', 'Sso', 'core'],
  ];
  expect(files).toEqual([
    ...['config.schema.json', 'descriptions'],
    ...described.map((name) => `descriptions/${name}.json`),
    ...['exampleotp.wsdl', 'openapi.json', 'openrpc.json'],
    ...['qrauth.wsdl', 'sms.wsdl', 'sshkey.wsdl', 'sso.wsdl'],
  ]);
  const openrpc = JSON.parse(await readFile(join(place, 'openrpc.json'), 'utf8'));
  expect(openrpc.servers).toEqual([{ name: 'Manager', url: 'https://admin.example.com/manag/' }]);
  expect(validateOpenRPCDocument(openrpc)).toBe(true);
  expect(await readFile(join(place, 'exampleotp.wsdl'), 'utf8')).toContain('exampleotpNormalLogin');
  expect(await readdir(folder)).toEqual(['api', 'watchword.yaml']);
});

it('says where it cannot', async () => {
  const result = await describeInto(join(folder, 'watchword.yaml'));
  expect(result).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/watchword\.yaml cannot be written \(E[A-Z]+\)\.$/),
  });
});
