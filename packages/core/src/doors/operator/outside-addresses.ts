/**
 * Refuses addresses inside in settings at run time. A gateway that asks them would lead an administrator into the network of the operator
 * (server-side request forgery). The operator names such addresses in the configuration file.
 */
import { isIP } from 'node:net';
import { ConfigError, type ConfigProblem } from '../../config/problems.ts';
import type { ConfigSettings } from '../../config/runtime-settings.ts';
import { isMap, valueAt } from '../../config/schema-node.ts';
import { Network, unmapIpv4 } from '../../foundation/text/network.ts';
import type { HostResolver } from '../../ports/ports.ts';

type Path = readonly string[];

/** This machine, its link, and addresses that are none (RFC 1122, 3927, 4291). */
const machine = ['127.0.0.0/8', '0.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10'];

/** Private networks (RFC 1918, 4193, 6598). */
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** Servers of protocols that answer nothing to a stranger's request, and often are in a private network. */
const hosts: readonly Path[] = [
  ['mail', 'host'],
  ['sms', 'host'],
];

/** Addresses that are asked over HTTP. */
const urls: readonly Path[] = [
  ['sms', 'url'],
  ['push', 'url'],
];

/** @throws ConfigError with every address inside */
export async function assertOutside(
  settings: ConfigSettings,
  { hosts: resolver }: { readonly hosts: HostResolver },
): Promise<void> {
  const inMachine = Network.parseAll(machine);
  const inside = Network.parseAll([...machine, ...privateNetworks]);
  const named = [
    ...hosts.map((path) => ({ path, host: textAt(settings, path), networks: inMachine })),
    ...[...urls, ...listedUrls(settings)].map((path) => ({
      path,
      host: hostIn(textAt(settings, path)),
      networks: inside,
    })),
  ];
  const problems: ConfigProblem[] = [];
  for (const { path, host, networks } of named) {
    if (host === undefined) continue;
    const addresses = isIP(host) === 0 ? await resolver.addresses(host) : [host];
    if (addresses.some((address) => networks.some((network) => network.contains(unmapIpv4(address)))))
      problems.push({
        path,
        message: 'leads to this machine or to a private network',
        cure: 'set it in the configuration file if that is meant',
      });
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Paths of addresses in lists and maps. */
function listedUrls(settings: ConfigSettings): readonly Path[] {
  const yubico = valueAt(settings, ['yubico', 'urls']);
  const clients = valueAt(settings, ['openid_clients']);
  return [
    ...(Array.isArray(yubico) ? yubico.map((_, index) => ['yubico', 'urls', String(index)]) : []),
    ...(isMap(clients) ? Object.keys(clients) : []).map((name) => [
      ...['openid_clients', name, 'backchannel_logout_uri'],
    ]),
  ];
}

function textAt(settings: ConfigSettings, path: Path): string | undefined {
  const value = valueAt(settings, path);
  return typeof value === 'string' ? value : undefined;
}

const hostIn = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : undefined;
