/**
 * Direct writes to the attributes of settings and data. Settings are checked as by `Set_User_Settings`. No role writes data, which it could
 * only copy.
 */
import { detailOf, isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { describedType } from '../../foundation/text/rdn.ts';
import { type AttributeValue, textsOf } from '../../foundation/text/value.ts';
import { onEntry, texts } from '../entry/entry.ts';
import type { BoundView, SchemaWords, Words } from '../view.ts';
import { type CheckedSetting, checkWritten, type WarningView, warnOf } from './settings.ts';

export interface WrittenValuesView extends BoundView, SchemaWords, Words, WarningView {
  readonly rights: { readonly isSuperAdmin: boolean };
}

interface Writing {
  readonly values: readonly (readonly [attribute: string, values: readonly AttributeValue[]])[];
  /** Whether the values are added to the existing ones. */
  readonly add: boolean;
}

/**
 * Writes attributes of an entry after checks.
 * @param write the write itself
 * @throws ServiceError `invalid_params` for settings; `permission_denied` for data
 */
export async function writeJudged(
  dn: Dn,
  { values, add }: Writing,
  { call, write }: { readonly call: WrittenValuesView; readonly write: () => Promise<void> },
): Promise<void> {
  const { settings_attribute, data_attribute } = call.config.schema;
  const valuesOf = (attribute: string) =>
    values
      .filter(([name]) => describedType(name) === describedType(attribute))
      .flatMap(([, own]) => textsOf(own));
  if (valuesOf(data_attribute).length > 0 && !call.rights.isSuperAdmin) {
    const detail = `you may not write ${data_attribute} itself: Set_User_Data and the methods of applications do`;
    await onEntry('update', dn, () => Promise.reject(new ServiceError('permission_denied', { detail })));
  }
  const settings = valuesOf(settings_attribute);
  const checked = settings.length === 0 ? [] : await judged(dn, { settings, add }, call);
  await write();
  warnOf(checked, dn, call);
}

async function judged(
  dn: Dn,
  { settings, add }: { readonly settings: readonly string[]; readonly add: boolean },
  call: WrittenValuesView,
): Promise<readonly CheckedSetting[]> {
  const attribute = call.config.schema.settings_attribute;
  const entry = await onEntry('read', dn, () => call.directory.read(dn, [attribute]));
  const before = entry ? texts(entry, attribute) : [];
  try {
    return checkWritten(add ? [...before, ...settings] : settings, before, call);
  } catch (error) {
    if (!isReason(error, 'invalid_params')) throw error;
    const detail = `Parameter attrs: ${attribute}: ${detailOf(error).replace(/^Parameter settings: /, '')}`;
    throw new ServiceError('invalid_params', { detail, cause: error });
  }
}
