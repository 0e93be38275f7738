/** A source whose guards `npm run test:mutants` takes out, and the test files that are to notice it: paths from the root. */
export interface GuardedSource {
  readonly file: string;
  readonly tests: readonly string[];
}

export declare function listed(): readonly GuardedSource[];
