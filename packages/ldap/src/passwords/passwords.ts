/** Separation of passwords in clear from the other attributes of an add or modify. */

import {
  type Attributes,
  type AttributeValue,
  bytesOf,
  isHashedPassword,
  isPasswordAttribute,
  ServiceError,
} from '@watchword/core/foundation';
import type { Change } from '@watchword/core/ports';

export function isHashed(value: AttributeValue): boolean {
  return isHashedPassword(textOf(value));
}

/** Returns a password as text; other bytes as Latin-1. */
export function textOf(value: AttributeValue): string {
  return typeof value === 'string' ? value : Buffer.from(bytesOf(value)).toString('latin1');
}

/** Separates the password in clear of a new entry. @throws ServiceError `password_refused` for several */
export function splitAttributes(attributes: Attributes): { rest: Attributes; password?: string } {
  const given = [...attributes].filter(([name]) => isPasswordAttribute(name)).flatMap(([, values]) => values);
  const clear = given.filter((value) => !isHashed(value));
  if (clear.length === 0) return { rest: attributes };
  if (given.length > 1) throw severalPasswords();
  const rest = new Map([...attributes].filter(([name]) => !isPasswordAttribute(name)));
  return { rest, password: textOf(clear[0] as AttributeValue) };
}

/** Separates the change that sets a password in clear. @throws ServiceError `password_refused` for several */
export function splitChanges(changes: readonly Change[]): { rest: readonly Change[]; password?: string } {
  const setting = changes.filter(setsClearPassword);
  const [change, ...more] = setting;
  if (!change) return { rest: changes };
  if (more.length > 0 || change.values.length > 1) throw severalPasswords();
  return {
    rest: changes.filter((other) => other !== change),
    password: textOf(change.values[0] as AttributeValue),
  };
}

function setsClearPassword({ operation, attribute, values }: Change): boolean {
  return operation !== 'delete' && isPasswordAttribute(attribute) && values.some((value) => !isHashed(value));
}

function severalPasswords(): ServiceError {
  return new ServiceError('password_refused', {
    detail: 'an entry takes one password in clear, and none beside it',
  });
}
