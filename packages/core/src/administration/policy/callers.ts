/**
 * Callers of web services (docs/concepts/callers-and-sources.md#caller): systems that present an API key or a TLS client certificate,
 * where the service demands one. Only the SHA-256 of a key is stored: a key is 160 random bits, so that no slower hash is needed, and a
 * reader of the configuration cannot use it.
 */
import { timingSafeEqual } from 'node:crypto';
import type { ServiceConfig } from '../../config/config.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { PeerCertificate } from '../../foundation/http/http.ts';
import { TextCache } from '../../foundation/runtime/bounded-cache.ts';
import { addressBlock, Network } from '../../foundation/text/network.ts';
import { parseTimestamp } from '../../foundation/text/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Names } from '../../table/dialect.ts';
import { digestOf } from './api-keys/key-form.ts';
import type { KeyUses } from './api-keys/key-uses.ts';
import type { Caller } from './caller.ts';
import type { CallerCertificates } from './caller-certificates.ts';
import type { ClientPolicies } from './client-policies.ts';
import { ServicePolicies } from './service-policies.ts';

/** The credentials of a request. */
export interface Shown {
  /** The IP address at the other end of the connection. */
  readonly address: string;
  readonly apiKey?: string | undefined;
  readonly certificate?: PeerCertificate | undefined;
}

/** The caller of a request. */
interface Known extends Pick<Shown, 'address'> {
  readonly key: ApiKey | undefined;
  readonly system: Awaited<ReturnType<CallerCertificates['judge']>> | undefined;
}

interface ApiKey {
  readonly id: string;
  readonly digest: Buffer;
  /** Milliseconds since 1970; undefined: no end. */
  readonly expires: number | undefined;
  /** The key before a renewal; without one, the digest of no key. */
  readonly previous: { readonly digest: Buffer; readonly until: number };
  /** The services in our words; undefined: all. */
  readonly services: readonly string[] | undefined;
  /** None: everywhere. */
  readonly networks: readonly Network[];
  readonly client: string | undefined;
}

export class Callers {
  readonly #keys: ReadonlyMap<string, ApiKey>;
  readonly #services: ServicePolicies;
  readonly #trusted: readonly Network[];
  readonly #choosing: readonly Network[];
  readonly #names: Names;
  readonly #certificates: Pick<CallerCertificates, 'judge'>;
  readonly #clients: Pick<ClientPolicies, 'boundAt'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #uses: Pick<KeyUses, 'note'>;
  /** Callers by address, which depend on nothing but the configuration. */
  readonly #cache = new TextCache<Caller>(256);

  constructor(
    ports: {
      config: Pick<ServiceConfig, 'api_keys' | 'websrvs' | 'trusted_callers' | 'request_settings'>;
      names: Names;
      clock: Pick<Clock, 'now'>;
    },
    {
      certificates,
      clients,
      keyUses,
    }: {
      certificates: Pick<CallerCertificates, 'judge'>;
      clients: Pick<ClientPolicies, 'boundAt'>;
      keyUses: Pick<KeyUses, 'note'>;
    },
  ) {
    this.#names = ports.names;
    this.#certificates = certificates;
    this.#clients = clients;
    this.#clock = ports.clock;
    this.#uses = keyUses;
    this.#services = new ServicePolicies(ports);
    this.#trusted = Network.parseAll(ports.config.trusted_callers);
    this.#choosing = Network.parseAll(ports.config.request_settings);
    const keys = Object.entries(ports.config.api_keys).map(
      ([id, row]): ApiKey => ({
        id,
        digest: Buffer.from(row.sha256, 'hex'),
        expires: parseTimestamp(row.expires),
        previous: row.previous
          ? {
              digest: Buffer.from(row.previous.sha256, 'hex'),
              until: parseTimestamp(row.previous.until) ?? 0,
            }
          : noPrevious,
        services: row.services?.map((word) => ports.names.ours(word)),
        networks: Network.parseAll(row.clients),
        client: row.client,
      }),
    );
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  /**
   * @param service our word or the installation's
   * @throws ServiceError `credentials_refused` if the service demands something that was not shown or is not
   *   good here. A key that is shown is always judged: a mistyped one shows itself before it is demanded. A
   *   certificate is not: browsers show one unasked. `unavailable`
   */
  async identify(service: string, { address, apiKey, certificate }: Shown): Promise<Caller> {
    const key = apiKey === undefined ? undefined : this.#judge(apiKey, { service, address });
    const system = certificate ? await this.#certificates.judge(certificate) : undefined;
    return this.#admit(service, { address, key, system });
  }

  #admit(service: string, { address, key, system }: Known): Caller {
    const { require } = this.#services.find(service);
    if (require === 'none' && !key && !system) return this.at(address);
    const shown = { api_key: key !== undefined, certificate: system !== undefined };
    if (require === 'either' ? !shown.api_key && !shown.certificate : require !== 'none' && !shown[require])
      throw callerRefused();
    const client = key?.client ?? system?.client;
    if (!key && !system) return this.at(address);
    return {
      ...this.at(address),
      ...{ trusted: true },
      ...(key && { apiKey: key.id }),
      ...(system && { certificate: system.identity }),
      ...(client !== undefined && { client }),
    };
  }

  /** Returns the caller of an address without other credentials. */
  at(address: string): Caller {
    return this.#cache.get(address) ?? this.#cache.keep(address, this.#standingAt(address));
  }

  #standingAt(address: string): Caller {
    const client = this.#clients.boundAt(address);
    const caller: { -readonly [Name in keyof Caller]: Caller[Name] } = { address };
    if (isWithin(this.#trusted, address)) caller.trusted = true;
    if (isWithin(this.#choosing, address)) caller.choosesPolicy = true;
    if (client !== undefined) caller.client = client;
    return caller;
  }

  #judge(text: string, { service, address }: { service: string; address: string }): ApiKey {
    const [, id = '', secret = ''] = keyForm.exec(text) ?? [];
    const key = this.#keys.get(id);
    // Both are compared for every key, and for none: the time tells neither which keys there are, nor which one was renewed.
    const digest = digestOf(secret);
    const { digest: previous, until } = key?.previous ?? noPrevious;
    const isPresent = timingSafeEqual(digest, key?.digest ?? noDigest);
    const isPrevious = timingSafeEqual(digest, previous);
    const now = this.#clock.now();
    const isRight = isPresent || (isPrevious && now < until);
    if (!isRight || !key || (key.expires !== undefined && now >= key.expires)) throw callerRefused();
    if (!isGoodFor(key, this.#names.ours(service)) || !isGoodFrom(key, address)) throw callerRefused();
    this.#uses.note(key.id, address);
    return key;
  }
}

/** @throws ServiceError `credentials_refused` for a stranger, see `Operation.isForSystems` */
export function assertSystem({ trusted, choosesPolicy }: Caller): void {
  if (!trusted && !choosesPolicy) throw callerRefused();
}

/** Returns the key of a caller: its API key, its certificate, or its address. */
export function callerKey({ apiKey, certificate, address }: Caller): string {
  if (apiKey !== undefined) return `key:${apiKey}`;
  return certificate === undefined ? `address:${addressBlock(address)}` : `certificate:${certificate}`;
}

/** A decimal id, an underscore and 40 hexadecimal digits. */
const keyForm = /^([0-9]{1,15})_([0-9a-f]{40})$/;

const noDigest = Buffer.alloc(32);

const noPrevious = { digest: noDigest, until: 0 };

const isGoodFor = ({ services }: ApiKey, service: string): boolean => services?.includes(service) ?? true;

const isGoodFrom = ({ networks }: ApiKey, address: string): boolean =>
  networks.length === 0 || isWithin(networks, address);

const isWithin = (networks: readonly Network[], address: string): boolean =>
  networks.some((network) => network.contains(address));

const callerRefused = (): ServiceError =>
  new ServiceError('credentials_refused', { detail: 'The service wants an API key or a client certificate' });
