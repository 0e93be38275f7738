/** Shows how far a run is: on a terminal in one line, else a line each minute. */
export class Progress {
  #all;
  #done = 0;
  #survived = 0;
  #began = performance.now();
  #shown = 0;

  constructor(all) {
    this.#all = all;
  }

  note({ isKilled }) {
    this.#done += 1;
    if (!isKilled) this.#survived += 1;
    const now = performance.now();
    const every = process.stderr.isTTY ? 200 : 60_000;
    if (now - this.#shown < every && this.#done < this.#all) return;
    this.#shown = now;
    const left = ((now - this.#began) / this.#done) * (this.#all - this.#done);
    const text = `${this.#done} of ${this.#all}: ${this.#done - this.#survived} killed, ${this.#survived} survived, ${Math.ceil(left / 60_000)} min left`;
    process.stderr.write(process.stderr.isTTY ? `\r${text} ` : `${text}\n`);
  }
}
