/** SMS centres that accept messages by SMPP 3.4. */
export { openSmpp, type SmppOptions } from './smpp.ts';
