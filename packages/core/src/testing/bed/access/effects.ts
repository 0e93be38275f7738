/**
 * Effects of methods that the rows do not state, written by hand from the interface: the attributes that a method reads and writes, and
 * its unusual calls. The matrix test derives from these lines and the rows what a role and an option set have to permit (`uses.ts`).
 */
import { createHmac } from 'node:crypto';
import { heldBy, itemType, spareFor } from './keeper.ts';
import type { Touch } from './oracle.ts';
import { desk, places, secret, shelf, type WorldEntry } from './world.ts';

/** Materials of a test. */
export interface Materials {
  /** A certificate of anybody, PEM. */
  readonly certificate: string;
  /** Requests for certificates, by DN. */
  readonly requests: ReadonlyMap<string, string>;
  readonly administratorRequest: string;
  /** The serial number of a certificate that was issued to an entry and is not revoked. */
  serial(dn: string): string;
  /** A time step (RFC 6238 §4.2) near the present one; no code of it was used, nor of a later one. */
  step(): number;
  /** The next counter that no code was used of. */
  counter(): number;
}

/** One way to call a method. */
export interface Effect {
  /** The particularity of the call, for the report. */
  readonly how?: string;
  /** Beside the entry of the place, where the row says that it is about one. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Beside what the row says. */
  readonly touch?: Touch;
  /** Reasons that it may fail for, though it is allowed. */
  readonly fails?: readonly string[];
}

/** The calls of a method about an entry; none: it is not about such entries. */
export type Effects = (place: WorldEntry, materials: Materials) => readonly Effect[];

const domain = 'Default';
const key = secret.toString('base64');

const settings = ['webadmsettings', 'memberof', 'uid', 'gidnumber'];
const token = ['webadmdata', ...settings];

/** About no entry: once is enough. */
const once =
  (params: Effect['params'] = {}, touch: Touch = {}): Effects =>
  ({ name }) =>
    name === places[0]?.name ? [{ params, touch }] : [];

const about =
  (touch: Touch, params: Effect['params'] = {}): Effects =>
  () => [{ params, touch }];

const holder = about({ reads: token });
const tokenChange = (params: Effect['params'] = {}) =>
  about({ reads: token, writes: ['webadmdata'] }, params);

/** About users only. */
const ofUsers =
  (effects: Effects): Effects =>
  (place, materials) =>
    place.uid === undefined ? [] : effects(place, materials);

/** The effects of finding a user by a login name, with the settings in force for it. */
const named = ofUsers(({ dn, uid }) => [
  {
    params: { name: 'A', key, userid: uid, domain },
    touch: { on: dn, reads: settings, asks: ['uid', ...settings], finds: dn },
  },
]);

/** RFC 4512 §2.5, and RFC 4519 §2.41 for the number. */
const typeOf = (name: string): string =>
  name.toLowerCase().replace(/;.*/, '').replace('2.5.4.35', 'userpassword');

/** RFC 4226 §5.3, with 6 digits. */
function hotp(counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', secret).update(message).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const objects: Readonly<Record<string, Effects>> = {
  Create_LDAP_Object: ({ fresh: dn }) => {
    if (dn === undefined) return [];
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'New', sn: 'New' };
    const touch: Touch = { creates: ['inetOrgPerson'] };
    return [
      { params: { dn, attrs }, touch: { ...touch, writes: ['uid', 'cn', 'sn'] } },
      {
        how: 'with a mobile number',
        params: { dn, attrs: { ...attrs, mobile: '1' } },
        touch: { ...touch, writes: ['uid', 'cn', 'sn', 'mobile'] },
      },
    ];
  },
  Check_LDAP_Object: about({}),
  Activate_LDAP_Object: ({ idle: dn }) =>
    dn === undefined ? [] : [{ params: { dn }, touch: { creates: ['webadmaccount'] } }],
  Deactivate_LDAP_Object: ({ uid }) => {
    const creates = [uid === undefined ? 'webadmgroup' : 'webadmaccount'];
    return [{ touch: { writes: ['webadmsettings', 'webadmdata'], creates } }];
  },
  Move_LDAP_Object: ({ dn, uid }) => {
    const creates = uid === undefined ? ['groupOfNames', 'webadmgroup'] : ['inetOrgPerson', 'webadmaccount'];
    const to = `${dn.split(',', 1)[0]},${shelf}`;
    // A container cannot stand in itself.
    const fails = shelf.endsWith(dn) ? ['schema_refused', 'permission_denied'] : [];
    const touch = { to, creates } as const;
    return [{ params: { container: shelf }, touch, fails }];
  },
  Rename_LDAP_Object: ({ dn, uid }) => {
    const type = uid === undefined ? 'cn' : 'uid';
    const to = dn.replace(/^[^,]+/, `${type}=renamed`);
    return [{ params: { name: 'renamed' }, touch: { on: dn, to, changes: true, writes: [type] } }];
  },
  Remove_LDAP_Object: ({ idle: dn }) =>
    dn === undefined ? [] : [{ params: { dn }, touch: { creates: ['inetOrgPerson'] } }],
};

const attributes: Readonly<Record<string, Effects>> = {
  Get_User_Attrs: () => [
    {},
    ...['mail', 'mobile', 'userPassword', '2.5.4.35', 'MAIL;lang-en'].map((name) => ({
      how: name,
      params: { attrs: [name] },
      touch: { reads: [typeOf(name)] },
    })),
  ],
  Set_User_Attrs: ofUsers(({ dn }) => [
    ...Object.entries({ mail: 'm@example.org', mobile: '2', userPassword: 'Another-1', memberOf: dn }).map(
      ([name, value]) => ({
        how: name,
        params: { attrs: { [name]: value } },
        touch: { writes: [name.toLowerCase()] } as const,
        // Directories keep it themselves.
        fails: name === 'memberOf' ? ['schema_refused'] : [],
      }),
    ),
    ...['objectClass', '2.5.4.0'].map((name) => ({
      how: name,
      params: { attrs: { [name]: ['posixAccount'] }, values: true },
      touch: { creates: ['posixAccount'] } as const,
      // Its numbers are missing; and not every directory knows the class by its number.
      fails: ['schema_refused'],
    })),
  ]),
  Remove_User_Attrs: ofUsers(about({ writes: ['mobile'] }, { attrs: ['mobile'] })),
  Get_User_Certificates: about({ reads: ['usercertificate'] }),
  Remove_User_Certificate: (_, { certificate }) => [
    { params: { certificate }, touch: { writes: ['usercertificate'] } },
  ],
  Set_User_Password: ofUsers(about({ password: true }, { password: 'An0ther-pass' })),
  Check_User_Password: () => [{ params: { password: 'right' }, fails: ['too_many_attempts'] }],
};

const users: Readonly<Record<string, Effects>> = {
  Get_User_DN: ofUsers(({ dn, uid }) => [
    { params: { username: uid, domain }, touch: { asks: ['uid'], finds: dn } },
  ]),
  Get_User_Domains: about({}),
  Get_User_Groups: about(
    { reads: ['memberof', 'uid', 'gidnumber'], asks: ['member', 'uniquemember', 'memberuid'] },
    { domain },
  ),
  Get_User_IDs: about({ reads: ['uid'] }),
  Count_Domain_Users: once({ domain }),
  Check_User_Active: about({}),
  Set_User_Settings: about({ writes: ['webadmsettings'] }, { settings: { 'Otp.LoginMode': 'LDAP' } }),
  Get_User_Settings: about({ reads: settings }),
  Set_User_Data: about({ writes: ['webadmdata'] }, { data: { 'Otp.TokenModel': 'T25l' } }),
  Get_User_Data: () => [
    { touch: { reads: ['webadmdata'] } },
    ...['Otp.TokenKey', 'Otp.EmergOTP', 'Otp.TokenType'].map((name) => ({
      how: name,
      params: { data: [name] },
      touch: { reads: ['webadmdata', ...(name === 'Otp.TokenType' ? [] : [name.toLowerCase()])] },
    })),
  ],
  Find_Users: once({ text: 'a' }),
  // Above the subtree it is the way down to it: a test of its own (directory/browse) looks at that.
  List_LDAP_Children: ({ dn }) => (desk.endsWith(`,${dn}`) ? [] : [{}]),
  Get_Directory_Schema: about({}),
  Export_LDAP_Objects: about({}, { scope: 'base' }),
  Explain_User_Settings: about({ reads: settings }),
};

/** An administrator whom an option set restricts may not change the configuration. */
const changing = (params: Readonly<Record<string, unknown>>) => ({
  params,
  touch: { superOnly: true } as const,
  fails: ['unavailable', 'permission_denied'],
});

const wholeService: Readonly<Record<string, Effects>> = {
  Who_Am_I: once(),
  List_Roles: () => [{ touch: { superOnly: true } }],
  List_API_Keys: () => [{ touch: { superOnly: true } }],
  // Nobody has that name: nothing is made, which would change what others may do.
  Set_Role: ({ name }) =>
    name === places[0]?.name
      ? [
          {
            params: {
              name: 'made',
              members: ['cn=nobody,dc=example,dc=org'],
              methods: ['*'],
              subtrees: [desk],
            },
            touch: { superOnly: true },
            fails: ['invalid_params', 'permission_denied'],
          },
        ]
      : [],
  Remove_Role: ({ name }) =>
    name === places[0]?.name
      ? [{ params: { name: 'made' }, touch: { superOnly: true }, fails: ['permission_denied'] }]
      : [],
  // No host has handed its configuration in.
  ...Object.fromEntries(
    ['List_Config', 'Get_Config', 'Config_History'].map((name) => [
      name,
      () => [{ touch: { superOnly: true } as const, fails: ['unavailable'] }],
    ]),
  ),
  Set_Config: ({ name }) => (name === places[0]?.name ? [changing({ settings: {} })] : []),
  Make_API_Key: ({ name }) => (name === places[0]?.name ? [changing({ owner: 'Network team' })] : []),
  Renew_API_Key: ({ name }) => (name === places[0]?.name ? [changing({ id: 1001 })] : []),
  Revoke_API_Key: ({ name }) => (name === places[0]?.name ? [changing({ id: 1001 })] : []),
  Restore_Config: ({ name }) => (name === places[0]?.name ? [changing({ version: 1 })] : []),
  Server_Status: once(),
  List_Nodes: once(),
  User_Places: about({}),
  Get_License_Details: once(),
  Count_Activated_Users: once(),
  Count_Activated_Hosts: once(),
  Get_Event_Logs: ({ dn }) => [
    { how: 'of an entry', params: { application: 'Otp', max: 1, dn } },
    { how: 'of all', params: { application: 'Otp', max: 1 }, touch: { superOnly: true } },
  ],
  ...Object.fromEntries(
    ['Search_Event_Logs', 'Export_Event_Logs'].map((name) => [
      name,
      ({ dn }: WorldEntry) => [
        { how: 'of an entry', params: { max: 1, dn } },
        { how: 'of all', params: { max: 1 }, touch: { superOnly: true } as const },
      ],
    ]),
  ),
  Clear_Caches: once(),
  Get_Config_Objects: () => [
    { params: { type: 'domains' } },
    ...['roles', 'optionsets'].map((type) => ({
      how: type,
      params: { type },
      touch: { superOnly: true } as const,
    })),
  ],
  End_Admin_Session: ({ name }) =>
    name === places[0]?.name ? [{ params: { id: '0'.repeat(64) }, fails: ['not_found'] }] : [],
  Set_Client_Mode: once({ client: 'nowhere', mode: 3 }, { superOnly: true }),
  Get_Random_Bytes: once({ length: 8 }),
  Get_QRCode: once({ uri: 'otpauth://totp/A', format: 'TXT' }),
};

/** The effects of taking something from an entry: the caller needs the right to change the entry. */
const taken = ({ dn }: WorldEntry): Effect => ({
  how: 'of the entry',
  params: { type: itemType, reference: heldBy(dn) },
  touch: { on: dn, changes: true, writes: ['webadmdata'] },
});

const inventory: Readonly<Record<string, Effects>> = {
  Link_Inventory_Item: (place) => [
    { params: { type: itemType, reference: spareFor(place.dn), dn: place.dn } },
    taken(place),
  ],
  Remove_Inventory_Item: (place) => [
    { params: { type: itemType, reference: spareFor(place.dn) } },
    taken(place),
  ],
};

const certificates: Readonly<Record<string, Effects>> = {
  Sign_certificate_Request: ({ dn, uid }, { requests, administratorRequest }) => [
    ...(uid === undefined
      ? []
      : [
          {
            params: { request: requests.get(dn) },
            touch: { asks: ['uid'], finds: dn, on: dn, changes: true, writes: ['usercertificate'] } as const,
          },
        ]),
    { how: 'of an administrator', params: { request: administratorRequest }, touch: { superOnly: true } },
  ],
  List_Certificates: ({ dn }) => [{ params: { dn } }],
  Revoke_Certificate: ofUsers(({ dn }, { serial }) => [
    {
      params: { serial: serial(dn) },
      touch: { on: dn, changes: true, writes: ['usercertificate'] },
    },
  ]),
};

const tokens: Readonly<Record<string, Effects>> = {
  HOTP_Register: tokenChange({ key }),
  TOTP_Register: tokenChange({ key, id: 3 }),
  HOTP_URI: named,
  TOTP_URI: named,
  Mobile_Session: ({ dn }) => [
    { params: { timeout: 60 } },
    { how: 'for a user', params: { timeout: 60, dn } },
  ],
  Mobile_Response: once({ session: 'aB3dE5fG7hJ9kL1m' }),
  HOTP_Verify: once({ otp: '755224', key, length: 6 }),
  TOTP_Verify: once({ otp: '755224', key, length: 6 }),
  HOTP_Resync_Counter: about({ writes: ['webadmdata'] }, { counter: 42 }),
  HOTP_Resync_Sequence: (place, materials) => {
    const counter = materials.counter();
    return tokenChange({ otp1: hotp(counter), otp2: hotp(counter + 1) })(place, materials);
  },
  TOTP_Resync: (place, materials) => tokenChange({ otp: hotp(materials.step()), id: 2 })(place, materials),
  Token_Enable: tokenChange(),
  Token_Disable: about({ writes: ['webadmdata'] }),
  Token_Unregister: about({ writes: ['webadmdata'] }),
  Factor_Rename: about({ writes: ['webadmdata'] }, { factor: 'TOKEN', name: 'my phone' }),
  Expire_Check: holder,
  Expire_Start: tokenChange({ expires: 30 }),
  Expire_Reset: about({ writes: ['webadmdata'] }),
  User_Tokens: holder,
  User_Methods: holder,
  Prefix_Register: tokenChange({ prefix: 'Pin4711' }),
  Emerg_Register: tokenChange({ otp: 'emergency' }),
  Prefix_Unregister: tokenChange(),
  Emerg_Unregister: tokenChange(),
  List_Register: tokenChange({ size: 5 }),
  List_Fetch: about({ reads: token }),
  List_State: holder,
  List_Unregister: tokenChange(),
  Block_Check: holder,
  Block_Start: holder,
  Block_Reset: holder,
};

const prefixed = (prefix: string, effects: Readonly<Record<string, Effects>>) =>
  Object.fromEntries(Object.entries(effects).map(([name, of]) => [`${prefix}.${name}`, of]));

/** Effects by method, in our words. A method without a line is called as in its example (`uses.ts`). */
export const effects: Readonly<Record<string, Effects>> = {
  'SshKey.User_Key': holder,
  ...objects,
  ...attributes,
  ...users,
  ...wholeService,
  ...certificates,
  ...inventory,
  ...prefixed('Otp', tokens),
};
