/** Source files by their imports: which stand in one circle, and how long a chain of them is. */
import type { Import, SourceFile } from './source-file.ts';

/** The imports of each file among the files. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** @param counts which imports are looked at; optional, default: all of them, types included */
export function graphOf(
  sources: readonly SourceFile[],
  counts: (imported: Import) => boolean = () => true,
): Graph {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => {
      const files = imports.filter(counts).flatMap(({ file }) => (file === undefined ? [] : [file]));
      return [path, [...new Set(files)].filter((file) => paths.has(file))];
    }),
  );
}

/** Every file that is reached from some, themselves included. */
export function closureOf(graph: Graph, from: readonly string[]): ReadonlySet<string> {
  const reached = new Set(from);
  for (const file of reached) for (const next of graph.get(file) ?? []) reached.add(next);
  return reached;
}

/** The files that import one another by some way round, the largest such group; sorted. */
export function largestCircle(graph: Graph): readonly string[] {
  const reach = new Map([...graph].map(([file, next]) => [file, closureOf(graph, next)]));
  const circles = [...graph.keys()].map((file) =>
    [...(reach.get(file) ?? [])].filter((other) => reach.get(other)?.has(file)),
  );
  return circles.reduce((largest, one) => (one.length > largest.length ? one : largest), []).toSorted();
}

/** The longest way from import to import. @throws Error where one comes back to where it was */
export function longestChain(graph: Graph): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const chainFrom = (file: string, above: readonly string[]): readonly string[] => {
    const found = known.get(file);
    if (found) return found;
    if (above.includes(file)) throw new Error(`${file} imports itself by ${above.join(' > ')}`);
    const chains = (graph.get(file) ?? []).map((next) => chainFrom(next, [...above, file]));
    const chain = [file, ...longest(chains)];
    known.set(file, chain);
    return chain;
  };
  return longest([...graph.keys()].map((file) => chainFrom(file, [])));
}

const longest = (chains: readonly (readonly string[])[]): readonly string[] =>
  chains.reduce((most, one) => (one.length > most.length ? one : most), []);
