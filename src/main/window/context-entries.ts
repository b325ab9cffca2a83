import type { ContextMenuParams } from 'electron';

/** What a right click offers where it can do something: in fields, and on selected text. */
type Role = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll';

interface Clicked {
  isEditable: boolean;
  selectionText: string;
  editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >;
}

/** The entries for what was clicked, groups apart; empty: there is nothing to do there. */
export function contextEntries({
  isEditable,
  selectionText,
  editFlags,
}: Clicked): { role: Role; enabled: boolean }[][] {
  if (isEditable) {
    return [
      [
        { role: 'undo', enabled: editFlags.canUndo },
        { role: 'redo', enabled: editFlags.canRedo },
      ],
      [
        { role: 'cut', enabled: editFlags.canCut },
        { role: 'copy', enabled: editFlags.canCopy },
        { role: 'paste', enabled: editFlags.canPaste },
      ],
      [{ role: 'selectAll', enabled: editFlags.canSelectAll }],
    ];
  }
  if (selectionText.trim() === '') return [];
  return [[{ role: 'copy', enabled: editFlags.canCopy }]];
}
