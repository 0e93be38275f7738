/** Guides name the usual ports; tests run beside each other, on free ones. */
import { freePorts } from '@watchword/core/testing/bed';

/** Port of the guide → a free one. */
export async function usePorts(...usual: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const free = await freePorts(usual.length);
  return new Map(usual.map((port, index) => [port, free[index] ?? 0]));
}

/** A text of a guide with the ports that are really used. */
export function withPorts(text: string, ports: ReadonlyMap<number, number>): string {
  return text.replaceAll(/\b\d{4,5}\b/g, (port) => String(ports.get(Number(port)) ?? port));
}
