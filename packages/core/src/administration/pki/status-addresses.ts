/** Where it is told what was revoked: stands in every certificate. @param base of the Manager, URL */
export const statusAddresses = (base: string) => ({ listUrl: `${base}/crl`, statusUrl: `${base}/ocsp/` });
