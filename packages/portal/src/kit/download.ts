/** Hands a text to the browser as a file. */
export function download(name: string, text: string, type = 'text/plain;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken what it needs when the click is over; Safari does so a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
