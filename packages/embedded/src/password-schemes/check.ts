/** Whether a password is the one that a stored hash was made from. */
export type Check = (password: string) => boolean | Promise<boolean>;
