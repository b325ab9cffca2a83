import stories from './stories.json' with { type: 'json' };

/** A name of stories.json: the engine, and the results of its runs. */
export type Story = keyof typeof stories;
export const STORIES = Object.keys(stories) as Story[];

/** The fake core's behavior, read at each use, so that a test can change it between two requests. */
export interface FakeBehavior {
  story: Story;
  /** Milliseconds between two events of a run; 0: all of it at once. */
  pace: number;
  /** A run goes no further after so many windows and steps, however long a look takes. */
  holdAfter: number;
  /** Looks that find nothing in the story without a runtime. */
  looksWithout: number;
  /** A report that is answered as long as this file exists: for states of Docker that a test makes up. */
  reportFile: string;
  /** Ends the process in the story in which it dies. */
  die: () => void;
}

export const PLAIN: FakeBehavior = {
  story: 'plain',
  pace: 4,
  holdAfter: Infinity,
  looksWithout: 1,
  reportFile: '',
  die: () => process.exit(1),
};
