/** Hands a text to the browser as a file. */
export function download(name: string, text: string, type = 'text/plain;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the text when the click is over, Safari a moment later. The text may be secret, so its address ends.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
