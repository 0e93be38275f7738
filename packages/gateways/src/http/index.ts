/** Gateways that take messages over HTTP, each in a way of its own that its template tells. */
export { type HttpGatewayOptions, openPushGateway, openSmsGateway } from './http-gateway.ts';
export { openYubicoServers } from './yubico-servers.ts';
