/** `@watchword/core/foundation`: texts, names and errors as engines see them. It loads no npm package. */

export { isReason, notConfigured, type Reason, ServiceError, tooLarge } from './errors/errors.ts';
export { StartError } from './errors/start-error.ts';
export { memoizeFrozen, memoizeLast, TextCache } from './runtime/bounded-cache.ts';
export { type CooperativeTask, mapSteps, runAtOnce, runCooperatively } from './runtime/cooperative.ts';
export { elapsed } from './runtime/elapsed.ts';
export { KeyedMutex } from './runtime/keyed-mutex.ts';
export { SingleFlight } from './runtime/single-flight.ts';
export { type Soon, soon } from './runtime/soon.ts';
export { inTickBatch, inTickBatchUnlessAlone } from './runtime/tick-batch.ts';
export { withTimeout } from './runtime/with-timeout.ts';
export { Dn, formatRdn, maxDnLength, maxDnLevels, type Rdn, rdnKey, spelled } from './text/dn.ts';
export { and, equal, everything, type Filter } from './text/filter.ts';
export { isShortJson, jsonPieces } from './text/json-pieces.ts';
export { formatRecord } from './text/ldif.ts';
export { gsmSeptets } from './text/messages/gsm-alphabet.ts';
export { piecesOf } from './text/messages/sms-parts.ts';
export { formatTime } from './text/moment.ts';
export { addressHolder, isLoopback, Network, siteOf, unmapped } from './text/network.ts';
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
export {
  type Attributes,
  type AttributeValue,
  attributeType,
  bytesOf,
  clearIn,
  isAttributeDescription,
  isBinaryAttribute,
  isHashedPassword,
  isPasswordAttribute,
  passwordText,
  sameValue,
  valueOf,
} from './text/value.ts';
export { version } from './version.ts';
