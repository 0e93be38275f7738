/** Puts a text into a file of the user's. */
export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([`${text.trimEnd()}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // What it holds is not to stay in the browser.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
