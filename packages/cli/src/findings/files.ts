/** Checks the certificate files that the configuration names for a server, for `--check`. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ServerConfig } from '@watchword/core';
import { formatTimestamp, StartError } from '@watchword/core/foundation';
import { type Finding, found, problem, warning } from '@watchword/core/operator';
import { orderedCertificate, readNamed } from '@watchword/engines/installation';
import { systemClock } from '@watchword/node';

const soon = 30 * 86_400_000;

export function certificateFindings(server: 'manager' | 'ws', config: ServerConfig): readonly Finding[] {
  const { certificate, key } = config[server];
  const { client_ca } = config.ws;
  return [
    ...(certificate !== undefined && key !== undefined
      ? [look(() => ofServer(server, certificate, key))]
      : []),
    ...(certificate === undefined && config.acme ? [ofOrder(config)] : []),
    ...(server === 'ws' && client_ca !== undefined
      ? [look(() => good('ws.client_ca', new X509Certificate(readNamed(client_ca))))]
      : []),
  ];

  function look(judge: () => Finding): Finding {
    try {
      return judge();
    } catch (error) {
      const why = error instanceof StartError ? error.message.replace(/\.$/, '') : 'it is no PEM';
      return problem(
        `${server}.certificate, ${server}.key or ${server}.client_ca: ${why}; give files in PEM`,
      );
    }
  }
}

function ofServer(server: 'manager' | 'ws', certificate: string, key: string): Finding {
  const shown = new X509Certificate(readNamed(certificate));
  if (shown.checkPrivateKey(createPrivateKey(readNamed(key)))) return good(`${server}.certificate`, shown);
  return problem(
    `${server}.key, ${key}, is not the key of ${server}.certificate, ${certificate}; give two that belong together`,
  );
}

/** Looks at the certificate of the ACME server; the first start orders it. */
function ofOrder(config: ServerConfig): Finding {
  const ordered = orderedCertificate(config, systemClock.now());
  if (ordered) return good('the certificate of acme', new X509Certificate(ordered.certificate));
  return found('acme has no valid certificate yet: the next start orders it');
}

function good(setting: string, { validTo }: X509Certificate): Finding {
  const end = Date.parse(validTo);
  const left = end - systemClock.now();
  const until = `${setting} is good until ${formatTimestamp(end)} UTC`;
  if (left <= 0) return warning(`${setting} ended at ${formatTimestamp(end)} UTC; give another`);
  return left < soon ? warning(`${until}; give another in time`) : found(until);
}
