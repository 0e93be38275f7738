/** What identifies a mutant in a judgment. */
export interface MutantName {
  readonly file: string;
  readonly within: string;
  readonly guard: string;
  readonly mutation: string;
}

export declare function mutantsOf(
  file: string,
  text: string,
): {
  readonly mutants: readonly MutantName[];
  instrument(first: number, from: string): string;
};

export declare function keyOf(mutant: MutantName): string;
