/**
 * `@watchword/core/application`: everything that an application is written with: its rows, the vocabulary of their values, and data of
 * users.
 */

export type { Caller } from './administration/policy/caller.ts';
export type { Call, OperationCall, RowView } from './applications/context/call.ts';
export { method, operation, type Page } from './applications/context/rows.ts';
export { type DataChanges, type EntryRef, type StoredData, swapData } from './directory/data/data.ts';
export type { Settings } from './directory/data/layers.ts';
export { type EntryProfile, readNamedProfile, readProfile } from './directory/data/profile.ts';
export type { ProfileContext as View } from './directory/view.ts';
export { type NewAuditEvent, recordEvent } from './events/recorded.ts';
export {
  type Refusal,
  type RefusalCode,
  refusalsOf,
  refusalTable,
  type ThrownRefusal,
} from './foundation/errors/refusal-table.ts';
export { type Application, application } from './table/application.ts';
export * from './table/field.ts';
export type { Method, Permission, Transaction } from './table/method.ts';
export type { Operation } from './table/operation.ts';
export type { PageRequest } from './table/page.ts';
export * from './table/schema/index.ts';
export { read } from './table/setting.ts';
export {
  enumSetting,
  flagSetting,
  integerSetting,
  ordered,
  preset,
  type Setting,
  type SettingKind,
  type SettingRow,
  settingsOf,
  textSetting,
  timestampSetting,
  unsupported,
  withheld,
} from './table/setting-row.ts';
