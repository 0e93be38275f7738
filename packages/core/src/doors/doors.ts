/** The doors of a service, as servers see them. */

import type { Readiness } from '../administration/status/readiness.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Handler } from '../foundation/http/http.ts';
import type { LdapService } from '../ports/directory/served-directory.ts';
import type { Log } from '../ports/log/log.ts';
import type { MetricPage } from '../ports/meter.ts';
import type { Descriptions } from './describe/descriptions.ts';
import type { ManagerDoor } from './manager/door.ts';
import type { PortalDoor } from './manager/portal/portal-door.ts';
import type { WebDoor } from './web/door.ts';

/** Doors of a service, as servers use them, with any applications. */
export interface Doors {
  /** One request to the Manager. */
  readonly manager: Pick<ManagerDoor, 'admits' | 'answer' | 'origins' | 'recordRefused'>;

  /** One request of a page of the Admin Portal. */
  readonly portal: Pick<PortalDoor, 'answerCall' | 'answerSession'>;

  /** One request to the web services. */
  readonly web: Pick<WebDoor, 'answer' | 'answerShared'>;

  /** Logins by LDAP binds, and reads as the user that has bound: for `serveLdap` of `@watchword/ldap`. */
  readonly ldap: LdapService;

  /** Descriptions: OpenRPC, OpenAPI, and a file for each application and for the core. */
  readonly descriptions: Pick<Descriptions, 'file' | 'paths'>;

  /** Returns which servers answer and what room is left, for `/readyz`. Throws nothing. */
  ready(): Promise<Readiness>;

  /** Measurements for `/metrics`; undefined: this address may not read them, or nothing is measured. */
  metrics(address: string): Promise<MetricPage | undefined>;
}

/** A server in front of the doors. */
export interface ServerProgram {
  /** The name of the program. */
  readonly name: string;
  /** Which part of the configuration is its own. */
  readonly server: 'manager' | 'ws';
  /** Makes what every service of the program shares, such as the files of its pages. @returns a function that makes the handler of a service */
  readonly prepare: (log: Log) => (service: Doors, config: ServerConfig) => Handler;
}
