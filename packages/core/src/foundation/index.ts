/** `@watchword/core/foundation`: texts, names and errors as engines see them. It loads no npm package. */

export { isReason, notConfigured, type Reason, ServiceError, tooLarge } from './errors/errors.ts';
export { StartError } from './errors/start-error.ts';
export { memoizeFrozen, memoizeLast, TextCache } from './runtime/bounded-cache.ts';
export { type CooperativeTask, mapSteps, runAtOnce, runCooperatively } from './runtime/cooperative.ts';
export { elapsed } from './runtime/elapsed.ts';
export { KeyedMutex } from './runtime/keyed-mutex.ts';
export { type MaybePromise, thenMaybe } from './runtime/maybe-promise.ts';
export { SingleFlight } from './runtime/single-flight.ts';
export { inTickBatch, inTickBatchUnlessAlone } from './runtime/tick-batch.ts';
export { withTimeout } from './runtime/with-timeout.ts';
export { canonicalDnText, Dn, formatRdn, maxDnLength, maxDnLevels, type Rdn, rdnKey } from './text/dn.ts';
export { and, equal, type Filter, matchAll } from './text/filter.ts';
export { isShortJson, jsonPieces } from './text/json-pieces.ts';
export { formatRecord } from './text/ldif.ts';
export { gsmSeptets } from './text/messages/gsm-alphabet.ts';
export { piecesOf } from './text/messages/sms-parts.ts';
export { addressBlock, ipv6SiteOf, isLoopback, Network, unmapIpv4 } from './text/network.ts';
export { canonicalType, exactPiece, exactValue, foldPiece, foldValue } from './text/rdn.ts';
export {
  type BinaryAttributeNames,
  binaryAttributeNames,
  type Definition,
  namesOf,
  parseDefinitions,
  splitDefinitions,
} from './text/schema-definition.ts';
export { opaqueString } from './text/secret/opaque-string.ts';
export { isSameSecret } from './text/secret/same-secret.ts';
export { formatTimestamp } from './text/timestamp.ts';
export {
  type Attributes,
  type AttributeValue,
  attributeType,
  bytesOf,
  clearTextPassword,
  isAttributeDescription,
  isBinaryAttribute,
  isHashedPassword,
  isPasswordAttribute,
  passwordText,
  sameValue,
  valueOf,
} from './text/value.ts';
export { version } from './version.ts';
