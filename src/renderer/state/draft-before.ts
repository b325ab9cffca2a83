/** A draft of the wizard: its text, the text when it was begun, opened or saved, and the preset that it changes, if any. */
export interface Draft {
  text: string;
  saved: string;
  presetId: string | undefined;
}

/**
 * The draft that can be gone back to when another takes the place of `left`: that one if it had changes that were not
 * saved, else whatever could be gone back to before, so that taking a place twice loses nothing.
 */
export function draftBefore(left: Draft, earlier: Draft | undefined): Draft | undefined {
  return left.text !== '' && left.text !== left.saved ? left : earlier;
}
