/** Whether this Node runs the sources as they are: from 22.18 on it strips their types, and from 24 on it knows `using`. */
export const readsSources =
  Boolean(process.features.typescript) && Number.parseInt(process.versions.node, 10) >= 24;
