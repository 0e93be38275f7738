/** Requests that are made to cost as much as they can, found by a search: what a stranger may send, and what an administrator may. */

export interface Body {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** As long as a body of the web services may be, and of the Manager. */
const [webBytes, managerBytes] = [65_000, 1_040_000];

const fill = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));
const many = (count: number, part: (index: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(between);

const soap = (content: string): Body => ({
  path: '/otp/',
  type: 'text/xml',
  body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`,
});
const login = '/otp/json/otpNormalLogin/';
const json = (body: string, path = login): Body => ({ path, type: 'application/json', body });
const fields = (values: object, path = login): Body => json(JSON.stringify(values), path);
const form = (body: string): Body => ({ path: login, type: 'application/x-www-form-urlencoded', body });
const multipart = (body: string): Body => ({ path: login, type: 'multipart/form-data; boundary=B', body });

const namespaces = (depth: number): string => many(40, (index) => `xmlns:p${depth}_${index}="u"`, ' ');
const nested = `<z xmlns:q="u">${many(27, (depth) => `<a ${namespaces(depth)}>`)}`;

/** What a stranger may send to the web services. */
export const ofStrangers: Readonly<Record<string, Body>> = {
  'elements with many attributes': soap(
    many(
      175,
      () =>
        `<a ${many(60, (index) => `${String.fromCharCode(97 + (index % 26))}${Math.floor(index / 26)}=""`, ' ')}/>`,
    ),
  ),
  'elements of many names': soap(
    `<otpNormalLogin>${many(9000, (index) => `<a${index}/>`).slice(0, webBytes - 1000)}`,
  ),
  'elements below many namespaces': soap(
    `${nested}${fill('<q:a/>', webBytes - nested.length - 500)}${'</a>'.repeat(27)}</z>`,
  ),
  'as many elements as are read': soap(`<otpNormalLogin>${fill('<a/>', 39_000)}</otpNormalLogin>`),
  'escaped characters': soap(`<a>${fill('&amp;', webBytes - 500)}</a>`),
  comments: soap(`<a>${fill('<!---->', webBytes - 500)}</a>`),
  'a list': soap(
    `<otpNormalLogin><username>${fill('<String>a</String>', webBytes - 500)}</username></otpNormalLogin>`,
  ),
  'many names': json(`{${many(7000, (index) => `"${index.toString(36)}":0`, ',')}}`),
  'many names in an object': json(`{"a":{${many(900, (index) => `"\\u0061${index}":0.5`, ',')}}}`),
  'names that are numbers': json(`{${many(4500, (index) => `"${index * 65_344}":0`, ',')}}`),
  'brackets without an end': json(fill('[', webBytes)),
  brackets: json(`{"a":${'['.repeat(30)}${fill('[],', webBytes - 200)}[]${']'.repeat(30)}}`),
  fractions: json(`{"a":[${fill('0.5,', webBytes - 200)}1]}`),
  'a number without an end': json(`{"a":0.${fill('1', webBytes - 200)}e5}`),
  signs: json(`{"a":${fill('-', webBytes - 200)}}`),
  'parameters of a form': form(fill('&', webBytes)),
  'escapes of a form': form(`username=${fill('%', webBytes - 200)}`),
  'parts of a form': multipart(
    `${many(255, (index) => `--B\r\nContent-Disposition: form-data; name="a${index}"\r\n\r\nx\r\n`)}--B--`,
  ),
  'headers of a part': multipart(
    `--B\r\nContent-Disposition: form-data; name="a"\r\n${fill('A: b\r\n', 60_000)}\r\n\r\nx\r\n--B--`,
  ),
  'parts that never come': multipart(fill('content-disposition\n', webBytes)),
  'a DN of many parts': fields({ username: fill('a=b+', 1000), options: 'LDAPDN', ldapPassword: 'x' }),
  'a name to be escaped': fields({ username: fill('\\', 1000), ldapPassword: 'x' }),
  'a domain': fields({ username: 'alice', domain: fill('D', webBytes - 200), ldapPassword: 'x' }),
  settings: fields({
    username: 'alice',
    settings: many(6000, (index) => `A${index}=1`, ','),
    ldapPassword: 'x',
  }),
  options: fields({ username: 'alice', options: fill('a,', webBytes - 200), ldapPassword: 'x' }),
  'a code': fields({ username: 'alice', ldapPassword: 'x', otpPassword: fill('1', webBytes - 200) }),
  'a password of many readings': fields(
    { username: 'alice', anyPassword: fill('1', 1020) },
    '/otp/json/otpSimpleLogin/',
  ),
  'a certificate': fields(
    { certificate: `-----BEGIN CERTIFICATE-----\n${fill('MIIB\n', 48_000)}-----END CERTIFICATE-----` },
    '/otp/json/otpPKILogin/',
  ),
  'certificates that only begin': fields(
    { certificate: fill('-----BEGIN CERTIFICATE-----\n', 60_000) },
    '/otp/json/otpPKILogin/',
  ),
  'a phone': json(fill('[', webBytes), '/otp/mobile'),
  'a question about certificates': {
    path: '/ocsp',
    type: 'application/ocsp-request',
    body: fill('0', webBytes),
  },
};

const call = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const status = (params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"Server_Status","params":${params}}`;
const batch = (count: number, method: string, params: unknown): string =>
  `[${many(count, () => call(method, params), ',')}]`;

/** As many as fit. */
const nameList = Array.from({ length: 45_000 }, (_, index) => `a${index.toString(36)}`);

/** What an administrator may send to the Manager. */
export const ofAdministrators = (dn: string): Readonly<Record<string, string>> => ({
  'brackets without an end': fill('[', managerBytes),
  brackets: status(`[${fill('[],', managerBytes - 200)}[]]`),
  objects: status(`[${fill('{},', managerBytes - 200)}{}]`),
  numbers: status(`[${fill('1,', managerBytes - 200)}1]`),
  'as many values as are read': status(`[${fill('1,', 99_000)}1]`),
  names: status(`{${many(45_000, (index) => `"\\u0061${index.toString(36)}":0`, ',')}}`),
  'names that are escaped': status(
    `[${many(45, () => `{${many(990, (index) => `"\\u0061${index}":-0.5`, ',')}}`, ',')}]`,
  ),
  'a text': status(`["${fill('\\u0041', managerBytes - 200)}"]`),
  'a batch': batch(1000, 'Get_User_Attrs', { dn }),
  'a batch of nothing': batch(1000, 'Nope', {}),
  'a batch of pictures': batch(10, 'Get_QRCode', { uri: fill('a', 500) }),
  'names of attributes': call('Get_User_Attrs', { dn, attrs: nameList }),
  'names of attributes by index': call('Get_User_Attrs', { dn, attrs: { ...nameList } }),
  'names of attributes that are removed': call('Remove_User_Attrs', { dn, attrs: nameList }),
  descriptions: call('Set_User_Attrs', { dn, attrs: { description: nameList } }),
  'a DN': call('Get_User_Attrs', { dn: `${fill('a=b+', managerBytes - 200)}a=b` }),
  'a DN of escapes': call('Get_User_Attrs', { dn: `cn=${fill('\\2c', managerBytes / 2)}` }),
  'a filter': call('Search_LDAP_Objects', {
    basedn: dn,
    filter: `(|${fill('(uid=b)', managerBytes - 200)})`,
  }),
  'a filter of stars': call('Search_LDAP_Objects', {
    basedn: dn,
    filter: `(uid=${fill('*a', managerBytes - 200)}*)`,
  }),
  'a certificate': call('Remove_User_Certificate', {
    dn,
    certificate: `-----BEGIN CERTIFICATE-----\n${fill('MIIB\n', managerBytes / 2)}-----END CERTIFICATE-----`,
  }),
  settings: call('Set_User_Settings', {
    dn,
    settings: Object.fromEntries(Array.from({ length: 990 }, (_, index) => [`Otp.A${index}`, 'x'])),
  }),
  'a long setting': call('Set_User_Settings', {
    dn,
    settings: { 'Otp.ReplyData': fill('x', managerBytes - 200) },
  }),
  attributes: call('Set_User_Attrs', {
    dn,
    attrs: Object.fromEntries(Array.from({ length: 990 }, (_, index) => [`a${index}`, ['x']])),
  }),
  // Last, as these stay in the entry.
  'a long value': call('Set_User_Attrs', { dn, attrs: { description: [fill('é x', 0.7 * managerBytes)] } }),
  'many values': call('Set_User_Attrs', {
    dn,
    attrs: { manager: Array.from({ length: 25_000 }, (_, index) => `uid=u${index},dc=a,dc=b`) },
  }),
});
