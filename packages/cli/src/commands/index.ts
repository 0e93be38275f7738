/** The list of all commands for operators, in the order of `--help`. */
import { auditExport, auditKey, auditVerify } from './audit.ts';
import { backup } from './backup.ts';
import { clockBack } from './clock-back.ts';
import type { Command } from './command.ts';
import { apply, config } from './config.ts';
import { describe } from './describe.ts';
import { init } from './init.ts';
import { exportLdif, importLdif } from './ldif.ts';
import { authorityKey } from './machines/authority-key.ts';
import { migrate } from './machines/migrate.ts';
import { tables } from './machines/tables.ts';
import { keysCommand, rekeyCommand } from './rekey.ts';
import { resetAdmin } from './reset-admin.ts';
import { restored } from './restored.ts';
import { unblock } from './unblock.ts';

export const installationCommands: readonly Command[] = [
  init,
  resetAdmin,
  unblock,
  backup,
  restored,
  clockBack,
  config,
  apply,
  exportLdif,
  importLdif,
  keysCommand,
  rekeyCommand,
  tables,
  migrate,
  authorityKey,
  auditExport,
  auditKey,
  auditVerify,
  describe,
];
