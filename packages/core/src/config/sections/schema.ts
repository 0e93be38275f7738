/** The settings of classes and attributes of a directory (docs/concepts/dialects-and-names.md#schema-extension). */

import { weaklyCached } from '../../table/schema/zod.ts';
import { attribute, attributes } from './types.ts';

export const roles = weaklyCached((z) =>
  z.strictObject({
    user_classes: attributes('user', 'account', 'person', 'inetOrgPerson', 'posixAccount').describe(
      'Classes that make an entry a user.',
    ),
    group_classes: attributes(
      'group',
      'groupOfNames',
      'groupOfUniqueNames',
      'groupOfURLs',
      'posixGroup',
    ).describe('Classes that make an entry a group.'),
    container_classes: attributes(
      'container',
      'organizationalUnit',
      'organization',
      'domain',
      'locality',
      'country',
    ).describe('Classes that make an entry a container.'),
    account_class: attribute().default('webadmaccount').describe('The class that activates a user.'),
    group_account_class: attribute().default('webadmgroup').describe('The class that activates a group.'),
    login_attributes: attributes('uid', 'sAMAccountName', 'userPrincipalName').describe(
      'Attributes that hold login names.',
    ),
    member_attributes: attributes('member', 'uniqueMember').describe(
      "Attributes of a group that hold members' DNs.",
    ),
    member_of_attributes: attributes('memberOf', 'groupMembership').describe(
      "Attributes of a user that hold groups' DNs.",
    ),
    member_uid_attributes: attributes('memberUid').describe(
      "Attributes of a group that hold members' login names.",
    ),
    mail_attributes: attributes('mail', 'otherMailbox').meta({
      description: 'Attributes that hold mail addresses; a code goes to the first that is one.',
    }),
    mobile_attributes: attributes('mobile', 'otherMobile').meta({
      description: 'Attributes that hold mobile numbers; a code goes to the first that is one.',
    }),
    certificate_attributes: attributes('userCertificate').describe('Attributes that hold certificates.'),
    password_attributes: attributes('userPassword', 'unicodePwd').describe('Attributes that hold passwords.'),
    text_attributes: attributes().describe(
      'Attributes that the Manager reads and writes as text, though their syntax in the schema of the directory is one of bytes. Others of such a syntax are in base64; passwords, settings, data and SSH keys are text without being named.',
    ),
    language_attributes: attributes('preferredLanguage').meta({
      description: 'Attributes that hold the preferred language.',
    }),
    settings_attribute: attribute().default('webadmSettings').describe('The attribute that holds settings.'),
    data_attribute: attribute().default('webadmData').describe('The attribute that holds user data.'),
  }),
);
