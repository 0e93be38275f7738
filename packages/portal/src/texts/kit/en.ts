export const en = {
  cancel: 'Cancel',
  clear: 'Clear',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  save: 'Save',
  undo: 'Undo',
  undone: 'Undone',
  retry: 'Try again',
  lost: 'This cannot be undone. What is lost:',
  loading: 'Loading',
  notifications: 'Messages',
} as const;
