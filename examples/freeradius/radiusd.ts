/**
 * A throwaway FreeRADIUS that asks Watchword, by the files beside it. Needs the Debian packages
 * freeradius, freeradius-rest, freeradius-utils and eapoltest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boundToUs, freePorts, scratchFolder } from '../../packages/core/src/testing/bed/scratch.ts';

export interface RadiusOptions {
  /** Where the web services are, `https://…/`. */
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly apiKey: string;
  /** Its own certificate and key for EAP-TTLS, PEM. */
  readonly tls: { readonly certificate: string; readonly key: string };
  /** False: clients that send no Message-Authenticator are heard too. */
  readonly isSigned?: boolean;
}

export interface Radius {
  readonly port: number;
  /** What clients share with it. */
  readonly secret: string;
  /** Sends an Access-Request. @returns the attributes of the answer as radclient writes them, the kind of packet first; empty: none came */
  ask(attributes: Readonly<Record<string, string>>): Promise<string>;
  /** Logs a device in by EAP-TTLS with PAP, as `eapol_test` of wpa_supplicant does. @returns what it came to */
  connect(device: Device): Promise<'in' | 'refused' | 'unanswered'>;
  stop(): Promise<void>;
}

export interface Device {
  readonly identity: string;
  readonly password: string;
  /** Left out: `auth=PAP`. */
  readonly inner?: string;
  /** Certificate of the authority that the device trusts, PEM. */
  readonly ca: string;
  /** Number of times that the device comes back, with its TLS session. */
  readonly returns?: number;
}

const secret = 'testing123-of-the-vpn';

export async function startRadius({ url, ca, apiKey, tls, isSigned = true }: RadiusOptions): Promise<Radius> {
  const folder = await scratchFolder('radius');
  const [port = 0] = await freePorts(1);
  const site = await file('watchword.site');
  const files = {
    'watchword.module': replaced(
      await file('watchword.module'),
      'https://login.example.com:8443/otp/json',
      `${url}otp/json`,
    ),
    'watchword.site': replaced(
      replaced(site, 'ipaddr = *', 'ipaddr = 127.0.0.1'),
      'port = 1812',
      `port = ${port}`,
    ),
    'watchword.key': `api_key = "${apiKey}"\n`,
    'watchword-ca.pem': ca,
    'watchword.eap': await file('watchword.eap'),
    'watchword.wifi': await file('watchword.wifi'),
    'watchword-eap.pem': tls.certificate,
    'watchword-eap.key': tls.key,
    'radiusd.conf': configuration(folder, isSigned),
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  const [command, ...args] = boundToUs([
    '/usr/sbin/freeradius',
    '-d',
    folder,
    '-n',
    'radiusd',
    '-f',
    '-l',
    'stdout',
  ]);
  const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  await ready(server.stdout, ended);
  return {
    ...{ port, secret },
    ask: (attributes) => ask(attributes, port),
    connect: (device) => connect(device, { port, folder }),
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const file = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

/** What is not there any more would leave the operator's own address in a test. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The example has no ${from}`);
  return text.replaceAll(from, () => to);
}

/** Of what Debian's own has around the files of the example. */
const configuration = (folder: string, isSigned: boolean): string => `
prefix = /usr
localstatedir = ${folder}
logdir = ${folder}
confdir = ${folder}
raddbdir = ${folder}
name = radiusd
run_dir = ${folder}
db_dir = ${folder}
libdir = /usr/lib/freeradius
pidfile = ${folder}/radiusd.pid
correct_escapes = true
max_request_time = 30
cleanup_delay = 5
log {
    destination = stdout
    auth = no
}
security {
    reject_delay = 0
    allow_core_dumps = no
    status_server = no
}
thread pool {
    start_servers = 2
    max_servers = 8
    min_spare_servers = 1
    max_spare_servers = 4
    max_requests_per_server = 0
}
client vpn {
    ipaddr = 127.0.0.1
    secret = ${secret}
    shortname = vpn
    require_message_authenticator = ${isSigned ? 'yes' : 'no'}
}
client wifi {
    ipaddr = 127.0.0.2
    secret = ${secret}
    shortname = wifi
    virtual_server = watchword-wifi
}
modules {
    $INCLUDE ${folder}/watchword.module
    $INCLUDE ${folder}/watchword.eap
    expr {
    }
    always ok {
        rcode = ok
    }
    always reject {
        rcode = reject
    }
    always handled {
        rcode = handled
    }
}
$INCLUDE ${folder}/watchword.site
$INCLUDE ${folder}/watchword.wifi
`;

function ready(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Ready to process requests')) resolve();
    });
    ended.then(() => reject(new Error(`freeradius ended: ${said}`)));
  });
}

/** What came, and nothing where it does not answer. */
async function ask(attributes: Readonly<Record<string, string>>, port: number): Promise<string> {
  const lines = Object.entries({ ...attributes, 'Message-Authenticator': '0x00' }).map(
    ([name, value]) => `${name} = ${value.startsWith('0x') ? value : quoted(value)}`,
  );
  const args = ['-x', '-r', '1', '-t', '3', `127.0.0.1:${port}`, 'auth', secret];
  const client = spawn('/usr/bin/radclient', args, { stdio: ['pipe', 'pipe', 'ignore'] });
  client.stdin.end(`${lines.join('\n')}\n`);
  let said = '';
  client.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(client, 'close');
  const [, answer = ''] = /^Received (Access-[\s\S]*)$/m.exec(said) ?? [];
  return answer;
}

async function connect(
  { identity, password, inner = 'auth=PAP', ca, returns = 0 }: Device,
  { port, folder }: { readonly port: number; readonly folder: string },
): Promise<'in' | 'refused' | 'unanswered'> {
  const place = await mkdtemp(join(folder, 'device-'));
  await writeFile(join(place, 'ca.pem'), ca);
  const network = {
    ...{ ssid: '"office"', key_mgmt: 'WPA-EAP', eap: 'TTLS', anonymous_identity: '"anonymous"' },
    ...{ identity: hex(identity), password: hex(password), phase2: `"${inner}"` },
    ca_cert: `"${join(place, 'ca.pem')}"`,
  };
  const lines = Object.entries(network).map(([name, value]) => `${name}=${value}`);
  await writeFile(join(place, 'device.conf'), `network={\n${lines.join('\n')}\n}\n`, { mode: 0o600 });
  const asked = ['-a', '127.0.0.1', '-A', '127.0.0.2', '-p', String(port), '-s', secret];
  const client = spawn('/usr/bin/eapol_test', [
    '-c',
    join(place, 'device.conf'),
    ...asked,
    '-r',
    String(returns),
    '-t',
    '15',
  ]);
  let said = '';
  client.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(client, 'close');
  if (/^SUCCESS$/m.test(said)) return 'in';
  return /CTRL-EVENT-EAP-FAILURE/.test(said) ? 'refused' : 'unanswered';
}

/** As wpa_supplicant reads any bytes. */
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** As the attributes of FreeRADIUS are written. */
const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&')}"`;
