/**
 * The penalty by which the mask of a QR code is chosen, after ISO/IEC 18004 §7.8.3. The result is that of qrcode-svg, computed on bytes,
 * which is faster.
 */

/** Computes the penalty of a code; lower is better. @param modules as many rows as columns */
export function penaltyOf(modules: readonly (readonly boolean[])[]): number {
  const picture = new Picture(modules);
  return picture.crowds() + picture.blocks() + picture.finders() + picture.imbalance();
}

/** The middle row of a finder pattern: 1 for dark. */
const finder = [1, 0, 1, 1, 1, 0, 1];

class Picture {
  readonly #side: number;
  /** 1 for dark, row by row. */
  readonly #dark: Uint8Array;

  constructor(modules: readonly (readonly boolean[])[]) {
    this.#side = modules.length;
    this.#dark = new Uint8Array(this.#side ** 2);
    for (const [y, row] of modules.entries()) {
      for (const [x, isDark] of row.entries()) this.#dark[y * this.#side + x] = isDark ? 1 : 0;
    }
  }

  /** Penalizes modules with more than five neighbours of their colour. */
  crowds(): number {
    let penalty = 0;
    for (let y = 0; y < this.#side; y++) {
      for (let x = 0; x < this.#side; x++) {
        const same = this.#likeNeighbours(y, x);
        if (same > 5) penalty += same - 2;
      }
    }
    return penalty;
  }

  #likeNeighbours(y: number, x: number): number {
    const [side, dark] = [this.#side, this.#dark];
    const [left, right] = [Math.max(0, x - 1), Math.min(side - 1, x + 1)];
    const own = dark[y * side + x];
    let same = -1; // itself
    for (let row = Math.max(0, y - 1); row <= Math.min(side - 1, y + 1); row++) {
      for (let column = left; column <= right; column++) if (dark[row * side + column] === own) same++;
    }
    return same;
  }

  /** Penalizes blocks of two by two modules of one colour. */
  blocks(): number {
    const [side, dark] = [this.#side, this.#dark];
    let penalty = 0;
    for (let at = 0; at < side * (side - 1); at++) {
      if (at % side === side - 1) continue;
      const sum = (dark[at] ?? 0) + (dark[at + 1] ?? 0) + (dark[at + side] ?? 0) + (dark[at + side + 1] ?? 0);
      if (sum === 0 || sum === 4) penalty += 3;
    }
    return penalty;
  }

  /** Penalizes sequences like a finder pattern, in rows and columns. */
  finders(): number {
    let penalty = 0;
    for (let line = 0; line < this.#side; line++) {
      for (let from = 0; from + finder.length <= this.#side; from++) {
        if (this.#isFinder(line * this.#side + from, 1)) penalty += 40;
        if (this.#isFinder(from * this.#side + line, this.#side)) penalty += 40;
      }
    }
    return penalty;
  }

  #isFinder(at: number, step: number): boolean {
    for (let place = 0; place < finder.length; place++) {
      if (this.#dark[at + place * step] !== finder[place]) return false;
    }
    return true;
  }

  /** Penalizes a share of dark modules that is far from half. */
  imbalance(): number {
    const dark = this.#dark.reduce((sum, module) => sum + module, 0);
    return 2 * Math.abs((100 * dark) / this.#side / this.#side - 50);
  }
}
