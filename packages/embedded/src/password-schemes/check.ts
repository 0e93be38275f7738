/** Returns whether a password matches a stored hash. */
export type Check = (password: string) => boolean | Promise<boolean>;
