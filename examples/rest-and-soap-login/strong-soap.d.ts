/** As much of strong-soap as the example uses; the package has no types. */
declare module 'strong-soap' {
  interface RequestOptions {
    /** Authorities to trust, PEM. */
    readonly ca?: string | undefined;
  }

  type Callback<Result> = (error: Error | null, result: Result) => void;

  /** The operations that the WSDL describes. */
  interface Client {
    readonly [operation: string]:
      | ((fields: object, options: RequestOptions, done: Callback<Partial<Record<string, string>>>) => void)
      | undefined;
  }

  export const soap: {
    createClient(wsdl: string, options: { wsdl_options: RequestOptions }, done: Callback<Client>): void;
  };
}
