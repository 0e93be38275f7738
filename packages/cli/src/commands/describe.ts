/**
 * The command `describe`: writes machine-readable descriptions of the interfaces: OpenRPC, OpenAPI, WSDL, JSON Schema and the export
 * description files.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '@watchword/core/foundation';
import type { Command } from './command.ts';

export const describe: Command = {
  name: 'describe',
  does: 'writes the descriptions of the interface into a folder: OpenRPC, OpenAPI, WSDL, and a file for each application',
  operand: 'FOLDER',
  options: {},
  run: async ({ config: path, operand = '', readConfiguration, describe: filesOf, around }) => {
    const { config } = readConfiguration(path);
    const files = filesOf(config);
    try {
      for (const [name, text] of files) {
        mkdirSync(dirname(join(operand, name)), { recursive: true });
        writeFileSync(join(operand, name), text);
      }
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
      throw new StartError(`${operand} cannot be written (${code}).`, { cause });
    }
    around.print(`${files.size} descriptions are in ${operand}.`);
  },
};
