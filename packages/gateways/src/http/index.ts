/** Message gateways over HTTP, each described by a template. */
export { type HttpGatewayOptions, openPushGateway, openSmsGateway } from './http-gateway.ts';
export { openYubicoServers } from './yubico-servers.ts';
