/** What an application is written of: its rows, the vocabulary of their values, and what is kept with users. */
export { type Application, application } from './application.ts';
export { type DataChanges, type Holder, type StoredData, swapData } from './directory/data.ts';
export { type DataHolder, readHolder, readNamedHolder } from './directory/holder.ts';
export type { Settings } from './directory/layers.ts';
export * from './field.ts';
export { type Call, type Method, method, type Permission, type Transaction, type View } from './method.ts';
export { type Operation, type OperationCall, operation } from './operation.ts';
export type { Page, PageRequest } from './page.ts';
export type { Caller } from './policy/caller.ts';
export { type Deed, recordDeed } from './recorded.ts';
export {
  type Refusal,
  type RefusalWord,
  refusalsOf,
  refusalTable,
  type ThrownRefusal,
} from './refusal-table.ts';
export * from './schema.ts';
export {
  flagSetting,
  integerSetting,
  kept,
  momentSetting,
  ordered,
  preset,
  read,
  type Setting,
  type SettingKind,
  type SettingRow,
  settingsOf,
  textSetting,
  wordSetting,
} from './setting.ts';
