import type { MutantName } from './guards.mjs';

export interface Judgment extends MutantName {
  readonly verdict: string;
  readonly because: string;
}

export declare function judgments(): readonly Judgment[];
