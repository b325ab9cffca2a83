import type { ErrorData } from '../../shared/errors.ts';
import type { Language } from '../../shared/model/settings.ts';
import { PRIVATE_KINDS, type PrivateKind, type ExportFormat } from '../../shared/model/sharing.ts';
import type { CopyFormat, ExportRequest, SharePreview } from '../../shared/contract/requests/app.ts';
import { errorDataOf, request } from '../api.ts';
import { settings } from './settings.svelte.ts';

type Done = { what: 'saved'; fileName: string } | { what: 'copied'; format: CopyFormat };

/** What is to be shared of which run, and how it will look. */
class ShareState {
  /** Undefined: nothing is being shared. */
  runId = $state<string | undefined>();
  format = $state<ExportFormat>('png');
  include = $state.raw<PrivateKind[]>([]);
  language = $state<Language>('en');
  preview = $state.raw<SharePreview | undefined>();
  isWorking = $state(false);
  done = $state.raw<Done | undefined>();
  error = $state.raw<ErrorData | undefined>();
}

export const share = new ShareState();

/** Begins with nothing private in it, whatever was shared before. */
export function beginSharing(runId: string): void {
  share.include = [];
  share.language = settings.language;
  share.runId = runId;
  void renew();
}

/** Closes the dialog and forgets what it showed. */
export function endSharing(): void {
  share.runId = undefined;
  share.preview = undefined;
  share.error = undefined;
}

/** Another format, with its preview. */
export function chooseFormat(format: ExportFormat): void {
  share.format = format;
  // Another format's preview must not stand there meanwhile.
  share.preview = undefined;
  void renew();
}

/** Another language of what goes out. */
export function chooseLanguage(language: Language): void {
  share.language = language;
  void renew();
}

/** Whether a kind of private details goes out. */
export function choosePrivate(kind: PrivateKind, included: boolean): void {
  share.include = PRIVATE_KINDS.filter((one) => (one === kind ? included : share.include.includes(one)));
  void renew();
}

/** Asks where to save what is chosen, and writes it. */
export async function saveShared(): Promise<void> {
  await work(async (asked) => {
    const saved = await request('results:export', asked);
    return saved === null ? undefined : { what: 'saved', fileName: saved.fileName };
  });
}

/** Puts what is chosen into the clipboard, as a picture or as Markdown. */
export async function copyShared(format: CopyFormat): Promise<void> {
  await work(async (asked) => {
    await request('share:copy', { ...asked, format });
    return { what: 'copied', format };
  });
}

/** Asks for a preview of what is chosen now; a later choice takes the place of an earlier one. */
async function renew(): Promise<void> {
  const asked = asking();
  if (asked === undefined) return;
  share.done = undefined;
  share.error = undefined;
  try {
    const preview = await request('share:preview', asked);
    if (isStillAsked(asked)) share.preview = preview;
  } catch (error) {
    if (!isStillAsked(asked)) return;
    share.preview = undefined;
    share.error = errorDataOf(error);
  }
}

async function work(action: (asked: ExportRequest) => Promise<Done | undefined>): Promise<void> {
  const asked = asking();
  if (asked === undefined || share.isWorking) return;
  share.isWorking = true;
  share.done = undefined;
  share.error = undefined;
  try {
    const done = await action(asked);
    if (isStillAsked(asked)) share.done = done;
  } catch (error) {
    share.error = errorDataOf(error);
  }
  share.isWorking = false;
}

function asking(): ExportRequest | undefined {
  const { runId, format, include, language } = share;
  return runId === undefined ? undefined : { runId, format, include, language };
}

function isStillAsked(asked: ExportRequest): boolean {
  const { runId, format, include, language } = asked;
  return (
    runId === share.runId &&
    format === share.format &&
    include === share.include &&
    language === share.language
  );
}
