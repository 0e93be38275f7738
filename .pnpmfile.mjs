/** What is packed names what is in the package, and nothing that only the workspace has. */
export const hooks = {
  beforePacking({ scripts: _, devDependencies: __, exports, ...manifest }) {
    return { ...manifest, exports: withoutSources(exports) };
  },
};

/** The condition `watchword-source` leads to `src`, which is not packed, and neither is an entry without another condition. */
function withoutSources(exports) {
  const entries = Object.entries(exports).map(([path, { 'watchword-source': _, ...conditions }]) => [
    path,
    conditions,
  ]);
  return Object.fromEntries(entries.filter(([, conditions]) => Object.keys(conditions).length > 0));
}
