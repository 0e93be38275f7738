/**
 * The value vocabulary: what a parameter may look like on the wire, what the code gets for it, and how a
 * result is written. The wire is lenient; the code never sees the leniency.
 */
export { decodeBase64, decodeLenientBase64 } from './base64.ts';
export * from './by-name.ts';
export * from './messages.ts';
export * from './parameter.ts';
export * from './result.ts';
export * from './timestamp.ts';
