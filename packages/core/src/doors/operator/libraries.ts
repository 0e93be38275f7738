/** The npm packages that the core loads on first use. */
import { loadWebauthn } from '../../authenticators/ceremony.ts';
import { drawingLibrary } from '../../foundation/qr/matrix.ts';
import { xmlLibrary } from '../web/soap/xml-tree.ts';

/**
 * Loads them now: for a server that says at its start what is not installed.
 * @param uses whether security keys log in
 * @throws what Node's loader throws where one is not installed
 */
export function loadLibraries(uses: { readonly securityKeys: boolean }): void {
  xmlLibrary();
  drawingLibrary();
  if (uses.securityKeys) loadWebauthn();
}
