/** Properties of the dialogues that enrol a token. */

export interface EnrolProps {
  /** 1 to 10. */
  readonly slot: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}
