/** What calling systems may do: client policies, demands of the web services, API keys. Made once by service.ts. */
import { CallerCertificates, type CertificateGround } from './caller-certificates.ts';
import { Callers } from './callers.ts';
import { ClientPolicies, type PolicyGround } from './client-policies.ts';
import { ServicePolicies } from './service-policies.ts';

export interface Policies {
  readonly clients: ClientPolicies;
  readonly services: ServicePolicies;
  readonly callers: Callers;
}

export function readPolicies(ground: PolicyGround & CertificateGround): Policies {
  const clients = new ClientPolicies(ground);
  return {
    clients,
    services: new ServicePolicies(ground),
    callers: new Callers(ground, { certificates: new CallerCertificates(ground, clients), clients }),
  };
}
