/** Rights at an entry, as far as buttons and forms need them: attributes to write, and classes to create below it. */
import { useEntryRights } from '../../../shell/entry-rights.ts';
import { type Attributes, valuesOf } from '../attributes.ts';
import { mayOf, mustOf, useSchema } from './schema.ts';

export interface EntryFormRights {
  may(method: string): boolean;
  mayWrite(attribute: string): boolean;
  /** A class of the entries below it. */
  mayCreate(objectClass: string): boolean;
  /** Something of it may be written, or made below it. */
  readonly isEditable: boolean;
  readonly isContainer: boolean;
}

/** Nothing may be done before it is known. */
export function useEntryFormRights(dn: string, attributes: Attributes): EntryFormRights {
  const may = useEntryRights({ dn }).data?.may ?? (() => false);
  const schema = useSchema(dn, may('Get_Directory_Schema')).data;
  const [editing, creating] = [may('Set_User_Attrs'), may('Create_LDAP_Object')];
  const classes = valuesOf(attributes, 'objectClass');
  const names = schema
    ? [...Object.keys(attributes), ...mustOf(schema, classes), ...mayOf(schema, classes)]
    : [];
  const kinds = schema?.classes.map(({ name }) => name) ?? [];
  const write = useEntryRights({ dn, attributes: names, isAsked: editing && names.length > 0 }).data;
  const create = useEntryRights({
    ...{ dn, classes: kinds, method: 'Create_LDAP_Object' as const },
    isAsked: creating && kinds.length > 0,
  }).data;
  const isStructural = (name: string) =>
    schema?.classes.some((one) => one.name === name && one.kind === 'structural') === true;
  return {
    may,
    mayWrite: (name) => write?.mayWrite(name) === true,
    mayCreate: (name) => create?.mayCreate(name) === true,
    isEditable: write !== undefined && names.some(write.mayWrite),
    isContainer: create !== undefined && kinds.some((name) => isStructural(name) && create.mayCreate(name)),
  };
}
