import type { BrowserWindow, Notification, PowerMonitor, PowerSaveBlocker } from 'electron';
import type { CoreEvent } from '../shared/contract/ipc.ts';
import { createTranslator } from '../shared/words/i18n.ts';
import type { Language } from '../shared/model/settings.ts';
import type { RunState } from '../shared/model/run-state.ts';
import { isPaused, progressOf, sessionBegan } from '../shared/run/progress.ts';
import { reduce } from '../shared/run/reduce.ts';

export interface Desktop {
  powerMonitor: Pick<PowerMonitor, 'on'>;
  powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  Notification: {
    new (options: { title: string; body: string }): Pick<Notification, 'show' | 'on'>;
    isSupported(): boolean;
  };
}

export interface CompanionHooks {
  window():
    | Pick<BrowserWindow, 'setProgressBar' | 'isFocused' | 'isMinimized' | 'restore' | 'show' | 'focus'>
    | undefined;
  notifies(): boolean;
  language(): Language;
  onPower(onBattery: boolean): void;
}

/** Electron shows values above 1 as indeterminate. */
const UNKNOWN = 2;
const NONE = -1;

export class RunCompanion {
  readonly #desktop: Desktop;
  readonly #hooks: CompanionHooks;
  #run: RunState | undefined;
  #blocker: number | undefined;
  #shown = '';
  /** References keep notifications from being collected. */
  readonly #notifications = new Set<Pick<Notification, 'show' | 'on'>>();

  constructor(desktop: Desktop, hooks: CompanionHooks) {
    this.#desktop = desktop;
    this.#hooks = hooks;
    desktop.powerMonitor.on('on-battery', () => hooks.onPower(true));
    desktop.powerMonitor.on('on-ac', () => hooks.onPower(false));
  }

  get isRunGoingOn(): boolean {
    return this.#run !== undefined && this.#run.status !== 'finished';
  }

  async see(event: CoreEvent): Promise<void> {
    if (event.type === 'command-failed') return;
    if (event.type === 'core-status') {
      this.#run = undefined;
      this.#apply(0);
      return;
    }
    if (event.type === 'run-continues') {
      this.#run = event.run;
      this.#apply(sessionBegan(event.run));
      return;
    }
    const wasGoingOn = this.isRunGoingOn;
    this.#run = reduce(this.#run, event.event);
    this.#apply(event.event.at);
    if (wasGoingOn && this.#run?.status === 'finished') await this.#tellEnd(this.#run).catch(() => undefined);
  }

  #apply(now: number): void {
    const run = this.#run?.status === 'finished' ? undefined : this.#run;
    this.#stayAwake(run !== undefined && !isPaused(run));
    if (run === undefined) this.#show(NONE, 'none');
    else if (isPaused(run)) this.#show(this.#fraction(run, now), 'paused');
    else if (run.status === 'stopping' || run.trials.every(({ startedAt }) => startedAt === null)) {
      this.#show(UNKNOWN, 'indeterminate');
    } else this.#show(this.#fraction(run, now), 'normal');
  }

  /** Whole percent: each change is a message to the system. */
  #fraction(run: RunState, now: number): number {
    return Math.round(100 * progressOf(run, now).fraction) / 100;
  }

  #show(progress: number, mode: 'none' | 'normal' | 'indeterminate' | 'paused'): void {
    const shown = `${progress} ${mode}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#hooks.window()?.setProgressBar(progress, { mode });
  }

  #stayAwake(awake: boolean): void {
    const { powerSaveBlocker } = this.#desktop;
    if (awake) this.#blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (this.#blocker !== undefined) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = undefined;
    }
  }

  async #tellEnd(run: RunState): Promise<void> {
    const { Notification } = this.#desktop;
    const isSeen = this.#hooks.window()?.isFocused() ?? false;
    if (run.outcome === 'stopped' || isSeen || !this.#hooks.notifies() || !Notification.isSupported()) return;
    const [{ analyze }, { givenText }, { headlineText }] = await Promise.all([
      import('../shared/analysis/analyze.ts'),
      import('../shared/words/labels.ts'),
      import('../shared/words/wording.ts'),
    ]);
    const language = this.#hooks.language();
    const body = headlineText(analyze(run), createTranslator(language));
    const notification = new Notification({ title: givenText(run.plan.preset.name, language), body });
    this.#notifications.add(notification);
    notification.on('close', () => this.#notifications.delete(notification));
    notification.on('click', () => {
      this.#notifications.delete(notification);
      this.#focus();
    });
    notification.show();
  }

  #focus(): void {
    const window = this.#hooks.window();
    if (window?.isMinimized() === true) window.restore();
    window?.show();
    window?.focus();
  }
}
