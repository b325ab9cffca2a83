/** What is soaked: the app with its window, or the terminal twin. */
export interface Subject {
  /** Begins a run of a preset of the data folder, as a user would; the journal tells how it continues. */
  start(presetId: string): Promise<void>;
  /** Asks for the run's end. */
  stop(): Promise<void>;
  /** Waits until the run that has ended is shown as such, and the next one can be started. */
  settle(): Promise<void>;
  /** Processes of its own that live now. */
  processes(): Promise<{ role: string; pid: number }[]>;
  /** What only it can tell of itself after it has tidied up (garbage collection): MiB of heaps, numbers of things. */
  inside(): Promise<Record<string, number>>;
  /** How many measured windows came to whoever shows them, by trial; null where nobody can be asked. */
  arrived(): Promise<Record<string, number> | null>;
  close(): Promise<void>;
}

/** The environment of a subject: a data folder, kept tables and temporary files of its own. */
export function environmentOf(home: string): Record<string, string> {
  const own = Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined);
  return {
    ...Object.fromEntries(own),
    WHALEMARK_HOME: home,
    WHALEMARK_DATASETS: `${home}/datasets`,
    TMPDIR: `${home}/tmp`,
  };
}
