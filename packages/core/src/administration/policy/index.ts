/** Policies of calling systems: client policies, requirements of the web services, API keys. `service.ts` makes them once. */

import { KeyUses, type KeyUsesPorts } from './api-keys/key-uses.ts';
import { CallerCertificates, type CertificatePorts } from './caller-certificates.ts';
import { Callers } from './callers.ts';
import { ClientPolicies, type PolicyPorts } from './client-policies.ts';
import { WebApplicationPolicies } from './self/web-applications.ts';
import { ServicePolicies } from './service-policies.ts';

export interface Policies {
  readonly clients: ClientPolicies;
  readonly services: ServicePolicies;
  readonly webapps: WebApplicationPolicies;
  readonly callers: Callers;
  readonly keyUses: KeyUses;
}

export function readPolicies(ports: PolicyPorts & CertificatePorts & KeyUsesPorts): Policies {
  const clients = new ClientPolicies(ports);
  const certificates = new CallerCertificates(ports, clients);
  const keyUses = new KeyUses(ports);
  return {
    clients,
    services: new ServicePolicies(ports),
    webapps: new WebApplicationPolicies(ports),
    callers: new Callers(ports, { certificates, clients, keyUses }),
    keyUses,
  };
}
