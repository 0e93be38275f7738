/** Where the packages of Debian are unpacked that tests run, and do not install. */
export const unpackedFolder: string;
