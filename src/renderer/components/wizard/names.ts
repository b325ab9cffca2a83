import { PATH_KINDS, STORAGE_KINDS } from '../../../shared/model/names.ts';
import type { WizardView } from '../../wizard/view.ts';
import { t } from '../../texts.ts';

/** What a storage of a draft is called: its own name, or its kind's. */
export function storageLabel(view: WizardView, storage: string): string {
  const own = view.storages[storage]?.name ?? '';
  if (own !== '') return own;
  const kind = STORAGE_KINDS.find((one) => one === storage);
  return kind === undefined ? storage : t(`wizard.storage.${kind}.name`);
}

/** What a path is called in the wizard. */
export function pathLabel(path: string): string {
  const kind = PATH_KINDS.find((one) => one === path);
  return kind === undefined ? path : t(`wizard.path.${kind}.name`);
}
