/** Assigns the columns of an imported table to fields. */
import { type Field, fields, type Values } from './acts.ts';

/** Places of columns, from 0; a field that is left out has none. */
export type Mapping = Readonly<Partial<Record<Field, number | undefined>>>;

/** Column names of tables, in the portal's languages and in LDAP's. */
const words: Readonly<Record<Field, readonly string[]>> = {
  user: ['uid', 'user', 'username', 'login', 'dn', 'benutzer', 'utilisateur', 'usuario'],
  cn: ['cn', 'name', 'displayname', 'nom complet', 'nombre completo'],
  sn: ['sn', 'surname', 'lastname', 'last name', 'nachname', 'nom', 'apellido'],
  mail: ['mail', 'email', 'e-mail', 'courriel', 'correo'],
  mobile: ['mobile', 'phone', 'telefon', 'mobil', 'handy', 'portable', 'móvil'],
  password: ['password', 'userpassword', 'passwort', 'mot de passe', 'contraseña'],
};

export function guessColumns(head: readonly string[], wanted: readonly Field[]): Mapping {
  const names = head.map((name) => name.trim().toLowerCase());
  const found = wanted.map(
    (field) => [field, names.findIndex((name) => words[field].includes(name))] as const,
  );
  return Object.fromEntries(found.filter(([, place]) => place >= 0));
}

export const mapRows = (rows: readonly (readonly string[])[], mapping: Mapping): readonly Values[] =>
  rows.map((cells) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const place = mapping[field];
        return place === undefined
          ? []
          : [[field, field === 'password' ? (cells[place] ?? '') : (cells[place] ?? '').trim()]];
      }),
    ),
  );
