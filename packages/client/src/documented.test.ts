/** Editors show for a call what the reference says of it: the summary of its row. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { documentationOf } from './testing/documentation.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const tsconfig = path('../../../tsconfig.json');
const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(tsconfig));

const shown = (...expressions: string[]) =>
  documentationOf(expressions, {
    options,
    file: path('documented-program.ts'),
    program: `import type { Batch, BatchPlan, Manager, WebServices } from './index.ts';
      declare const [manager, plan, web]: [Manager, BatchPlan, WebServices];`,
  });

interface Described {
  readonly methods: readonly { readonly name: string; readonly summary: string }[];
}
const reference = (name: string) => JSON.parse(readFileSync(path(`../../../docs/reference/${name}`), 'utf8'));

describe('an editor', () => {
  const { methods }: Described = reference('openrpc.json');
  const names = methods.map(({ name }) => name);
  const some = ['manager.Otp.HOTP_Register', 'manager.Create_LDAP_Object', 'web.otp.normalLogin'];
  // All in one program: each is compiled with the whole core.
  const result = shown(
    ...some,
    ...names.map((name) => `manager.${name}`),
    ...names.map((name) => `plan.${name}`),
  );

  it('shows what a method and an operation do', () => {
    expect(result.slice(0, some.length)).toEqual([
      'Registers a HOTP token (RFC 4226); with a mobile session, once its QR code was scanned.',
      'Creates a directory object.',
      'Logs a user in with a password and a one-time password, each in its own field.',
    ]);
  });

  it('shows it of every method that the reference has, called or planned', () => {
    const summaries = methods.map(({ summary }) => summary);
    expect(names.length).toBeGreaterThan(60);
    const [called, planned] = [result.slice(some.length, -names.length), result.slice(-names.length)];
    expect(called).toEqual(summaries);
    expect(planned).toEqual(summaries);
  });
});
