/** Returns the addresses of revocation status, which every certificate has. @param base of the Manager, URL */
export const statusAddresses = (base: string) => ({ listUrl: `${base}/crl`, statusUrl: `${base}/ocsp/` });
