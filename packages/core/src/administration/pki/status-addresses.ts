/** Returns the addresses of revocation list and OCSP, which every certificate contains. @param base URL of the Manager */
export const statusAddresses = (base: string) => ({ listUrl: `${base}/crl`, statusUrl: `${base}/ocsp/` });
