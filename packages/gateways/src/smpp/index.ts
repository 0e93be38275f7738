/** SMS centres that take messages over by SMPP 3.4. */
export { openSmpp, type SmppOptions } from './smpp.ts';
